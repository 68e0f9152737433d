import KinfolkCrypto
import KinfolkStorage

/// The key of bucket positions: one for all containers of a store, which stays when other keys are rotated. So a client tells
/// the same bits of a contact in each epoch and container.
enum BucketKey {
    private static let row = "bucket_seed"
    private static let place = SealedPlace("service", "value", row: .bytes(Array(row.utf8)))

    /// Makes it, unless there is one. The caller renews the key stamp.
    static func makeIfMissing(_ keys: KeyRing, _ db: Connection) throws {
        guard try ServiceTable.value(row, db) == nil else { return }
        var seed = SecureRandom.bytes(SecretKey.length)
        defer { seed.withUnsafeMutableBytes(wipe) }
        try ServiceTable.set(row, keys.sealing.seal(seed, at: place), db)
    }

    /// Nil before the first private directory.
    static func find(_ keys: KeyRing, _ db: Connection) throws -> OPRFKey? {
        guard let sealed = try ServiceTable.value(row, db) else { return nil }
        var seed = try keys.sealing.open(sealed, at: place)
        defer { seed.withUnsafeMutableBytes(wipe) }
        return try OPRFKey(
            seed: seed.withUnsafeBytes(SecretKey.init(copying:)),
            info: Array("kinfolk/2/bucket".utf8),
            mode: .voprf
        )
    }

    /// Seals it under the newest key.
    static func reseal(_ keys: KeyRing, _ db: Connection) throws {
        guard let sealed = try ServiceTable.value(row, db), !keys.sealing.isNewest(sealed) else { return }
        var seed = try keys.sealing.open(sealed, at: place)
        defer { seed.withUnsafeMutableBytes(wipe) }
        try ServiceTable.set(row, keys.sealing.seal(seed, at: place), db)
    }

    static var missing: KinfolkError {
        KinfolkError.damaged("The store has a private directory, and no key of its buckets.")
    }
}
