import Foundation
import Kinfolk
import KinfolkModel

/// Compares exports.
extension ModelRun {
    /// Compares the zones, records and files in the export of a person.
    func export(_ slot: Int, _ service: Int) throws {
        guard let person = people[slot] else { return }
        var archive: [UInt8] = []
        try services[service].account(person.account).exportArchive { archive += $0 }
        guard var files = ArchivedFiles(archive)?.contents, let text = files.removeValue(forKey: "export.json") else {
            throw Different(what: "the archive of an export cannot be read")
        }
        struct Export: Decodable {
            struct Field: Decodable { let type: String }
            struct Record: Decodable {
                let database: String
                let type: String
                let name: String
                let zone: String
                let created_at: String
                let modified_at: String
                let fields: [String: Field]
            }
            struct Container: Decodable {
                let environment: String
                let zones: [String]
                let records: [Record]
            }
            let containers: [Container]
        }
        let export = try JSONDecoder().decode(Export.self, from: Data(text))
        let found = export.containers.flatMap { container in
            container.records.map { record in
                let fields = record.fields.map { "\($0.key) \($0.value.type)" }.sorted()
                return
                    "\(container.environment) \(record.database) \(record.type) \(record.zone)/\(record.name) \(record.created_at) "
                    + "\(record.modified_at) \(fields)"
            }
        }
        let expected = model.export(of: person.number).map { origin, record in
            let fields = record.fields.map { "\($0.key) \($0.value.type)" }.sorted()
            return
                "\(origin.environment) \(origin.scope) \(record.type) \(record.zone)/\(record.name) \(record.createdAt) "
                + "\(record.modifiedAt) \(fields)"
        }
        try compare(
            found.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            expected.reduce(into: [:]) { $0[$1, default: 0] += 1 },
            "exported records"
        )
        let zones = export.containers.flatMap { container in container.zones.map { "\(container.environment) \($0)" } }
        if zones.sorted() != model.exportedZones(of: person.number).sorted() {
            throw Different(what: "\(zones) were exported")
        }
        let others = model.exportedFiles(of: person.number)
        if files != Dictionary(uniqueKeysWithValues: others.map { ("assets/\($0.id.hex)", $1) }) {
            throw Different(what: "the files \(files.keys) were exported, expected \(others.keys.map(\.id.hex))")
        }
    }
}
