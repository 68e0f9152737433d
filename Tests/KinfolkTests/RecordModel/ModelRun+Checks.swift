import Foundation
import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Compares the tables of the store with the model.
extension ModelRun {
    /// A row of the table of records.
    private struct Row {
        let name: String
        let owner: [UInt8]
        let epoch: Int
    }

    /// Compares all records, their index entries and the counts of their bytes. The check of the store must find nothing.
    func check(_ service: Int) throws {
        let findings = try services[service].check().findings
        if !findings.isEmpty { throw Different(what: "the check found \(findings)") }
        for environment in ContainerEnvironment.allCases {
            let container = try container(environment, service)
            try services[service].store.read { db in try check(container, db) }
        }
    }

    private func check(_ container: Container, _ db: Connection) throws {
        let keys = try container.service.keys(ofContainer: container.number, in: db)
        var rows: [Int64: Row] = [:]
        var bytes: [String: Int] = [:]
        var position: RecordTable.Position? = .start
        while let start = position {
            position = try RecordTable.forEach(in: container.number, after: start, limit: 100, keys, db) { place, row in
                try compare(row, in: place, container, db)
                let number = row.number ?? 0
                rows[number] = Row(name: row.content.name, owner: place.owner, epoch: row.epoch)
                bytes["\(place.owner) 0", default: 0] += row.size
                guard place.database == .public, let creator = row.content.creator else { return }
                bytes["\(creator.value.bytes) 1", default: 0] += row.size
            }
        }
        let places = model.records.filter { $0.key.environment == container.environment }
        let count = places.reduce(0) { $0 + $1.value.count }
        if rows.count != count { throw Different(what: "\(rows.count) records, expected \(count)") }
        try compare(entries(of: container, rows, db), expectedEntries(in: container.environment, rows), "index entries")
        try compare(byteCounts(of: container, db), bytes, "counts of bytes")
    }

    private func compare(_ row: RecordRow, in place: RecordPlace, _ container: Container, _ db: Connection) throws {
        let owner = place.owner.withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
        let name = row.content.name
        guard let other = model.records[.init(environment: container.environment, owner: owner)]?[name] else {
            throw Different(what: "the model has no record \(name)")
        }
        let type =
            try container.service.schemas.schema(of: container.number, container.service, db).type(row.type)?.name ?? ""
        let record = row.content.record(
            type: type,
            id: RecordID(valid: name),
            changeTag: row.changeTag,
            in: place
        )
        try compare(record, other, from: Origin(environment: container.environment, scope: place.database, user: owner))
    }

    private func compare<Key>(_ found: [Key: Int], _ expected: [Key: Int], _ what: String) throws {
        let different = Set(found.keys).union(expected.keys).filter {
            found[$0, default: 0] != expected[$0, default: 0]
        }
        guard let first = different.first else { return }
        throw Different(
            what:
                "\(different.count) different \(what): of \(first) \(found[first, default: 0]), expected \(expected[first, default: 0])"
        )
    }

    // MARK: Index entries

    /// How many tags lead to each set of records. Tags are random to the model, but not which records share one.
    private func entries(of container: Container, _ rows: [Int64: Row], _ db: Connection) throws -> [[String]: Int] {
        var groups: [[UInt8]: [String]] = [:]
        _ = try db.all(
            "SELECT owner, tag, number FROM index_entries WHERE container_id = $1",
            .integer(container.number)
        ) { entry in
            let row = rows[entry.integer(2)]
            let name = row.flatMap { $0.owner == entry.bytes(0) ? $0.name : nil } ?? "no record"
            groups[entry.bytes(0) + entry.bytes(1), default: ["\(entry.bytes(0))"]].append(name)
        }
        return groups.values.reduce(into: [:]) { $0[$1.sorted(), default: 0] += 1 }
    }

    /// The same, by the values of the model. While keys are rotated, equal values under different keys have different tags.
    private func expectedEntries(in environment: ContainerEnvironment, _ rows: [Int64: Row]) -> [[String]: Int] {
        let epochs = Dictionary(rows.values.map { ("\($0.owner) \($0.name)", $0.epoch) }) { first, _ in first }
        var groups: [String: [String]] = [:]
        for (place, records) in model.records where place.environment == environment {
            let owner = "\(place.owner?.value.bytes ?? [])"
            for record in records.values where record.type != "Users" {
                let epoch = epochs["\(owner) \(record.name)"] ?? -1
                var values = record.fields.flatMap { field, value -> [String] in
                    guard model.schemas[environment]?[record.type]?[field]?.isQueryable == true else { return [] }
                    return value.equalityClasses.map { "\(record.type).\(field) = \($0)" }
                }
                if place.owner == nil, let creator = record.creator { values.append("created by \(creator)") }
                for value in values { groups["\(owner) \(epoch) \(value)", default: [owner]].append(record.name) }
            }
        }
        return groups.values.reduce(into: [:]) { $0[$1.sorted(), default: 0] += 1 }
    }

    private func byteCounts(of container: Container, _ db: Connection) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        _ = try db.all(
            "SELECT owner, kind, bytes FROM record_bytes WHERE container_id = $1",
            .integer(container.number)
        ) { counts["\($0.bytes(0)) \($0.integer(1))", default: 0] += Int($0.integer(2)) }
        return counts
    }

    // MARK: Other ways through records

    /// Renews the records of an environment, as a part of a rotation that has not come to its end.
    func renewRecords(of environment: ContainerEnvironment, _ service: Int) throws {
        let container = try container(environment, service)
        var rotation = RecordRotation(services[service], container: container.number)
        while !rotation.isOver {
            try services[service].store.write { db in try rotation.renewBatch(db) }
        }
    }

    /// Compares the records in the export of a person.
    func compareExport(_ text: String, of person: Int) throws {
        struct Export: Decodable {
            struct Field: Decodable { let type: String }
            struct Record: Decodable {
                let database: String
                let type: String
                let name: String
                let created_at: String
                let modified_at: String
                let fields: [String: Field]
            }
            struct Container: Decodable {
                let environment: String
                let records: [Record]
            }
            let containers: [Container]
        }
        let export = try JSONDecoder().decode(Export.self, from: Data(text.utf8))
        let found = export.containers.flatMap { container in
            container.records.map { record in
                let fields = record.fields.map { "\($0.key) \($0.value.type)" }.sorted()
                return "\(container.environment) \(record.database) \(record.type) \(record.name) \(record.created_at) "
                    + "\(record.modified_at) \(fields)"
            }
        }
        let expected = model.export(of: person).map { origin, record in
            let fields = record.fields.map { "\($0.key) \($0.value.type)" }.sorted()
            return "\(origin.environment) \(origin.scope) \(record.type) \(record.name) \(record.createdAt) "
                + "\(record.modifiedAt) \(fields)"
        }
        try compare(
            found.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            expected.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            "exported records"
        )
    }
}
