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
    /// The private one that comes next, if its public key was announced.
    let announced: PublicEpoch?
    /// The private ones that have ended and whose keys tell what was paid for, newest first.
    let ended: [PublicEpoch]
    private let sealedReceiptSeeds: [UInt32: [UInt8]]

    /// What everybody may know of an epoch.
    struct PublicEpoch: Sendable {
        let epoch: UInt32
        let publicKey: [UInt8]
    }

    /// The ones that rows are being taken out of; 0 is the one of contact hashes.
    let ending: [UInt32]

    /// The private ones that are complete, newest first.
    var answering: [PrivateDirectory] { privateOnes.filter(\.isComplete) }

    init(of container: Int64, _ ring: KeyRing, _ db: Connection) throws {
        let sealing = try ring.container(container, db).sealing
        let name = try ContainerTable.name(of: container, db)
        let all = try DirectoriesTable.all(of: container, db)
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
            // Its key is known to whoever has the key that leaked: who comes now is not to be in it.
            let isFrozen = ring.isLeaked && row.keyEpoch < ring.newest.epoch
            return try PrivateDirectory(
                epoch: row.epoch,
                state: isFrozen ? .frozen : row.state == .complete ? .complete : .building,
                container: (number: container, name: name),
                seed: Directories.seed(row.sealedSeed, of: row.epoch, in: container, sealing),
                bucketKey: bucketKey
            )
        }
    }

    /// The key of an epoch that ended: for what was paid for in it, and nothing else.
    func receiptKey(_ epoch: UInt32, of container: Container, _ db: Connection) throws -> OPRFKey? {
        guard let sealed = sealedReceiptSeeds[epoch] else { return nil }
        let sealing = try container.service.keys(ofContainer: container.number, in: db).sealing
        return try PrivateDirectory.key(
            seed: Directories.seed(sealed, of: epoch, in: container.number, sealing),
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
        // Here, where the only copy is: wiped where it is lent, a copy would be.
        defer { seed.withUnsafeMutableBytes(wipe) }
        return try seed.withUnsafeBytes(SecretKey.init(copying:))
    }
}
