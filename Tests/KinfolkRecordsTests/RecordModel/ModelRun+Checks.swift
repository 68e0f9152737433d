import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Compares the tables of the store with the model.
extension ModelRun {
    /// A row of the table of records.
    private struct Row {
        /// The zone and the name.
        let id: String
        let owner: [UInt8]
        let epoch: Int
    }

    /// Compares all records, their index entries, the assets, and the counts of bytes. The check of the store must find nothing.
    func check(_ service: Int) throws {
        // The rows of deleted zones and the chunks of deleted assets are removed later.
        try services[service].sweep { _ in }
        // Indexes are built and removed later, too.
        for environment in ContainerEnvironment.allCases { try container(environment, service).buildIndexes() }
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
                let id = "\(place.zoneName) \(row.content.name)"
                rows[number] = Row(id: id, owner: place.owner, epoch: row.epoch)
                bytes["\(place.owner) \(place.zone) 0", default: 0] += row.size
                guard place.database == .public, let creator = row.content.creator else { return }
                bytes["\(creator.value.bytes) 0 1", default: 0] += row.size
            }
        }
        try checkAssets(of: container, keys, &bytes, db)
        let places = model.records.filter { $0.key.home.environment == container.environment }
        let count = places.reduce(0) { $0 + $1.value.count }
        if rows.count != count { throw Different(what: "\(rows.count) records, expected \(count)") }
        try compare(entries(of: container, rows, db), expectedEntries(in: container.environment, rows), "index entries")
        try compare(byteCounts(of: container, db), bytes, "counts of bytes")
    }

    private func compare(_ row: RecordRow, in place: RecordPlace, _ container: Container, _ db: Connection) throws {
        let owner = place.owner.withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
        let name = row.content.name
        let home = ModelPlace.Home(environment: container.environment, owner: owner)
        guard let other = model.records[ModelPlace(home: home, zone: place.zoneName)]?[name] else {
            throw Different(what: "the model has no record \(name) in \(place.zoneName)")
        }
        if row.size != other.bytes { throw Different(what: "\(name) has \(row.size) bytes, expected \(other.bytes)") }
        let type =
            try container.service.schemas.schema(of: container.number, container.service, db).type(row.type)?.name ?? ""
        let record = row.content.record(
            type: type,
            id: RecordID(valid: name, zone: place.zoneName),
            changeTag: row.changeTag,
            in: place
        )
        try compare(record, other, from: Origin(environment: container.environment, scope: place.database, user: owner))
    }

    func compare<Key>(_ found: [Key: Int], _ expected: [Key: Int], _ what: String) throws {
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
            "SELECT owner, tag, number, zone FROM index_entries WHERE container_id = $1",
            .integer(container.number)
        ) { entry in
            let row = rows[entry.integer(2)]
            let isOfCreator = entry.integer(3) == IndexScope.ofCreator
            let owner = isOfCreator ? [] : entry.bytes(0)
            let name = row.flatMap { $0.owner == owner ? $0.id : nil } ?? "no record"
            let scope = "\(entry.bytes(0))\(isOfCreator ? " as creator" : "")"
            groups[entry.bytes(0) + entry.bytes(1), default: [scope]].append(name)
        }
        return groups.values.reduce(into: [:]) { $0[$1.sorted(), default: 0] += 1 }
    }

    /// The same, by the values of the model. While keys are rotated, equal values under different keys have different tags.
    private func expectedEntries(in environment: ContainerEnvironment, _ rows: [Int64: Row]) -> [[String]: Int] {
        let epochs = Dictionary(rows.values.map { ("\($0.owner) \($0.id)", $0.epoch) }) { first, _ in first }
        var groups: [String: [String]] = [:]
        for (place, records) in model.records where place.home.environment == environment {
            let owner = "\(place.home.owner?.value.bytes ?? [])"
            for record in records.values {
                let id = "\(record.zone) \(record.name)"
                let epoch = epochs["\(owner) \(id)"] ?? -1
                var values = record.fields.flatMap { field, value -> [String] in
                    guard model.schemas[environment]?[record.type]?[field]?.isQueryable == true else { return [] }
                    return value.equalityClasses(in: record.zone).map { "\(record.type).\(field) = \($0)" }
                }
                // User records are never queried.
                if record.type == "Users" { values = [] }
                var scopes = [owner: values]
                if place.home.owner == nil, record.type != "Users", let creator = record.creator {
                    scopes[owner]? += ["created by \(creator)", "\(record.type) created by \(creator)"]
                    if model.isReadByCreatorOnly(record.type, in: environment) {
                        scopes["\(creator.value.bytes) as creator"] = values + [record.type]
                    }
                }
                if place.home.owner == nil, let modifier = record.modifier, modifier != record.creator {
                    scopes[owner]?.append("changed by \(modifier)")
                }
                for (scope, values) in scopes {
                    for value in values { groups["\(scope) \(epoch) \(value)", default: [scope]].append(id) }
                }
            }
        }
        return groups.values.reduce(into: [:]) { $0[$1.sorted(), default: 0] += 1 }
    }

    private func byteCounts(of container: Container, _ db: Connection) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        _ = try db.all(
            "SELECT owner, zone, kind, bytes FROM record_bytes WHERE container_id = $1",
            .integer(container.number)
        ) { counts["\($0.bytes(0)) \($0.integer(1)) \($0.integer(2))", default: 0] += Int($0.integer(3)) }
        return counts
    }
}
