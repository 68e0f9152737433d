package import KinfolkModel
import KinfolkCore
import KinfolkStorage

extension Account {
    /// The names of the containers in which the person has agreed to be found, sorted; of those of development, marked.
    package func containersOfConsent() throws(KinfolkError) -> [String] {
        try service.read { db in
            guard let rows = try AccountRows.verified(id, service, db) else { throw Account.unknown }
            return try ContainerTable.verified(service.keys(db), db)
                .filter { $0.state == .inUse && rows.isDiscoverable(in: $0.number) }
                .map { $0.environment == .production ? $0.name : $0.name + " (development)" }
                .sorted()
        }
    }
}
