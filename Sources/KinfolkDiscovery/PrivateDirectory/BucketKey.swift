package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The key of bucket positions: one for all containers of a store. It does not change when other keys are rotated, so a client
/// reveals the same bits of a contact in each epoch and container.
package enum BucketKey {
    private static let row = "bucket_seed"
    private static let place = SealedPlace("service", "value", row: .bytes(Array(row.utf8)))

    /// Creates the key unless there is one. The caller must renew the key stamp.
    static func makeIfMissing(_ keys: KeyRing, _ db: Connection) throws {
        guard try ServiceTable.value(row, db) == nil else { return }
        var seed = SecureRandom.bytes(SecretKey.length)
        defer { seed.withUnsafeMutableBytes(wipe) }
        try ServiceTable.set(row, keys.sealing.seal(seed, at: place), db)
    }

    /// The key; nil before the first private directory exists.
    package static func find(_ keys: KeyRing, _ db: Connection) throws -> OPRFKey? {
        guard let sealed = try ServiceTable.value(row, db) else { return nil }
        var seed = try keys.sealing.open(sealed, at: place)
        defer { seed.withUnsafeMutableBytes(wipe) }
        return try OPRFKey(
            seed: seed.withUnsafeBytes(SecretKey.init(copying:)),
            info: Array("kinfolk/2/bucket".utf8),
            mode: .voprf
        )
    }

    /// Seals the bucket key again, under the newest of the store's keys.
    package static func reseal(_ keys: KeyRing, _ db: Connection) throws {
        guard let sealed = try ServiceTable.value(row, db), !keys.sealing.isNewest(sealed) else { return }
        var seed = try keys.sealing.open(sealed, at: place)
        defer { seed.withUnsafeMutableBytes(wipe) }
        try ServiceTable.set(row, keys.sealing.seal(seed, at: place), db)
    }

    /// Whether the bucket key is sealed under the newest of the store's keys. True if the store has no bucket key.
    package static func isNewest(_ keys: KeyRing, _ db: Connection) throws -> Bool {
        try ServiceTable.value(row, db).map(keys.sealing.isNewest) ?? true
    }

    package static var missing: KinfolkError {
        KinfolkError.damaged("The store has a private directory but no bucket key.")
    }
}
