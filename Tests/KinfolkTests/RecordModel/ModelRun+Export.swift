import Foundation
import Kinfolk

/// Compares exports.
extension ModelRun {
    /// Compares the zones and records in the export of a person.
    func export(_ slot: Int, _ service: Int) throws {
        guard let person = people[slot] else { return }
        let text = try services[service].account(person.account).export()
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
        let export = try JSONDecoder().decode(Export.self, from: Data(text.utf8))
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
    }
}
