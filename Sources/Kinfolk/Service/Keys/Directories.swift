import KinfolkCrypto
import KinfolkStorage

/// Which directories a container has.
struct Directories: Sendable {
    /// Whether rows are written to the one of contact hashes.
    let keepsHashes: Bool
    /// Whether that one is complete, so that it may be searched.
    let hasHashes: Bool
    /// The private ones to which rows are written, newest first.
    let privateOnes: [PrivateDirectory]

    /// The ones that rows are being taken out of; 0 is the one of contact hashes.
    let ending: [UInt32]

    /// The private ones that are complete, newest first.
    var answering: [PrivateDirectory] { privateOnes.filter(\.isComplete) }

    init(of container: Int64, _ keys: ContainerKeys, _ db: Connection) throws {
        let all = try DirectoriesTable.all(of: container, db)
        let rows = all.filter { $0.state != .ending }
        ending = all.filter { $0.state == .ending }.map(\.epoch)
        let hashes = rows.first { $0.epoch == 0 }
        keepsHashes = hashes != nil
        hasHashes = hashes?.state == .complete
        privateOnes = try rows.filter { $0.epoch > 0 }.map { row in
            var seed = try keys.sealing.open(
                row.sealedSeed,
                at: PrivateDirectory.place(ofSeedOf: row.epoch, in: container)
            )
            // Here, where the only copy is: wiped where it is lent, a copy would be.
            defer { seed.withUnsafeMutableBytes(wipe) }
            return try PrivateDirectory(
                epoch: row.epoch,
                isComplete: row.state == .complete,
                container: ContainerTable.name(of: container, db),
                seed: seed.withUnsafeBytes(SecretKey.init(copying:))
            )
        }
    }
}
