import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkStorage

/// The directories of a container.
package final class ContainerDirectories: Sendable {
    /// Whether rows are written to the directory of contact hashes.
    package let keepsHashes: Bool
    /// Whether the directory of contact hashes is complete, so that it may be searched.
    package let hasHashes: Bool
    /// The private directories to which rows are written, newest first.
    package let privateOnes: [PrivateDirectory]
    /// The next private directory, if its public key has been announced.
    package let announced: PublicEpoch?
    /// The private directories that have ended and whose keys are kept to verify what was paid for in them, newest first.
    package let ended: [PublicEpoch]
    private let sealedReceiptSeeds: [UInt32: [UInt8]]

    /// The public part of an epoch.
    package struct PublicEpoch: Sendable {
        let epoch: UInt32
        let publicKey: [UInt8]
    }

    /// The epochs whose rows are being deleted; 0 is the directory of contact hashes.
    package let ending: [UInt32]

    /// The private directories that are complete, newest first.
    package var answering: [PrivateDirectory] { privateOnes.filter(\.isComplete) }

    package init(of container: Int64, _ ring: KeyRing, _ db: Connection) throws {
        let sealing = try ring.container(container, db).sealing
        let name = try ContainerTable.name(of: container, db)
        let all = try DirectoryEpochTable.all(of: container, db)
        let hashes = all.first { $0.epoch == 0 && $0.state != .ending }
        keepsHashes = hashes != nil
        hasHashes = hashes?.state == .complete
        ending = all.filter { $0.state == .ending }.map(\.epoch)
        announced = all.first { $0.state == .announced }.map { PublicEpoch(epoch: $0.epoch, publicKey: $0.publicKey) }
        let receipts = all.filter { $0.isReceipt }
        ended = receipts.map { PublicEpoch(epoch: $0.epoch, publicKey: $0.publicKey) }
        sealedReceiptSeeds = Dictionary(receipts.map { ($0.epoch, $0.sealedSeed) }) { first, _ in first }
        let rows = all.filter { $0.epoch > 0 && ($0.state == .complete || $0.state == .building) }
        guard !rows.isEmpty else {
            privateOnes = []
            return
        }
        guard let bucketKey = try BucketKey.find(ring, db) else { throw BucketKey.missing }
        privateOnes = try rows.map { row in
            // The leaked key also opens this directory's key, so new people must not be added to it.
            let isFrozen = ring.isLeaked && row.keyEpoch < ring.newest.epoch
            return try PrivateDirectory(
                epoch: row.epoch,
                state: isFrozen ? .frozen : row.state == .complete ? .complete : .building,
                container: (number: container, name: name),
                seed: ContainerDirectories.seed(row.sealedSeed, of: row.epoch, in: container, sealing),
                bucketKey: bucketKey
            )
        }
    }

    /// The key of an epoch that ended, used only to verify what was paid for in it.
    func receiptKey(_ epoch: UInt32, of container: Container, _ db: Connection) throws -> OPRFKey? {
        guard let sealed = sealedReceiptSeeds[epoch] else { return nil }
        let sealing = try container.service.keys(ofContainer: container.number, in: db).sealing
        return try PrivateDirectory.key(
            seed: ContainerDirectories.seed(sealed, of: epoch, in: container.number, sealing),
            container: container.name
        )
    }

    private static func seed(
        _ sealed: [UInt8],
        of epoch: UInt32,
        in container: Int64,
        _ sealing: SealingKeys
    ) throws -> SecretKey {
        var seed = try sealing.open(sealed, at: PrivateDirectory.place(ofSeedOf: epoch, in: container))
        // Wiped here because this is the only copy; wiping in the closure would wipe another copy.
        defer { seed.withUnsafeMutableBytes(wipe) }
        return try seed.withUnsafeBytes(SecretKey.init(copying:))
    }
}

extension KeyRing {
    /// The directories of a container and their keys. A change to the set of directories renews the key stamp.
    package func directories(of container: Int64, _ db: Connection) throws -> ContainerDirectories {
        try derived(ContainerDirectories.self, of: container) { try ContainerDirectories(of: container, self, db) }
    }
}

extension Service {
    /// The directories of a container.
    package func directories(ofContainer id: Int64, in db: Connection) throws -> ContainerDirectories {
        try keys(db).directories(of: id, db)
    }
}
