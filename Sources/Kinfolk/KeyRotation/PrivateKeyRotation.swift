import KinfolkAccounts
import KinfolkCore
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage

/// Renews the private directories during a rotation of the store's keys: each container that has one gets an epoch whose key was
/// created after the rotation began, or announced for it.
///
/// The database shows what is done, so that any process can resume it.
struct PrivateKeyRotation {
    let service: Service

    /// - Parameter progress: Called with the number of people processed in a container, and the number of people to process.
    /// - Returns: The new epochs.
    func run(
        progress: (_ people: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws -> [KeyRotation.ContainerEpoch] {
        var epochs: [KeyRotation.ContainerEpoch] = []
        for container in try service.containers() {
            guard let epoch = try renew(container, progress) else { continue }
            epochs.append(epoch)
        }
        return epochs
    }

    private func renew(
        _ container: Container,
        _ progress: (Int, Int) throws(KinfolkError) -> Void
    ) throws -> KeyRotation.ContainerEpoch? {
        let epoch: (number: UInt32, isLeaked: Bool)? = try service.write(isLarge: true) { db in
            let keys = try service.keys(db)
            let epoch = try container.beginEpochOfRotation(keys, db)
            return epoch.map { ($0, keys.isLeaked) }
        }
        guard let epoch else { return nil }
        try container.buildDirectories { done throws(KinfolkError) in try progress(done.people, done.total) }
        let row = try service.read { db in try DirectoryEpochTable.row(epoch.number, of: container.number, db) }
        guard let row, row.state == .complete else {
            throw KinfolkError(.conflict, "A private directory that the rotation made was ended by another call.")
        }
        if epoch.isLeaked { try container.endEpochs(ofKeysBefore: row.keyEpoch) }
        return try KeyRotation.ContainerEpoch(
            container: container.name,
            number: row.epoch,
            publicKey: DirectoryEpochTable.checked(publicKey: row.publicKey)
        )
    }
}
