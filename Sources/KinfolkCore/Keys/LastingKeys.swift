package import KinfolkCrypto

/// The keys of an epoch that are still needed after it has ended: for values that callers keep, and for values that cannot be
/// re-sealed.
package struct LastingKeys: Sendable {
    private let syncStateKey: SecretKey
    private let codeKey: SecretKey
    /// For sync states, which callers keep.
    let syncStates: SealingKey
    /// For verification codes, of which the store has only hashes.
    let codes: TagKey

    init(syncStates: SecretKey, codes: SecretKey) throws {
        syncStateKey = syncStates
        codeKey = codes
        self.syncStates = try SealingKey(syncStates)
        self.codes = TagKey(codes)
    }

    init(epoch: Int64, sealed: [UInt8], under key: SealingKey) throws {
        var bytes = try key.open(sealed, at: LastingKeys.place(of: epoch))
        defer { bytes.withUnsafeMutableBytes(wipe) }
        guard bytes.count == 2 * SecretKey.length else { throw CryptoError.notAuthentic }
        self = try bytes.withUnsafeBytes { bytes in
            try LastingKeys(
                syncStates: SecretKey(copying: UnsafeRawBufferPointer(rebasing: bytes[..<SecretKey.length])),
                codes: SecretKey(copying: UnsafeRawBufferPointer(rebasing: bytes[SecretKey.length...]))
            )
        }
    }

    package func sealed(of epoch: Int64, under key: SealingKey) -> [UInt8] {
        // Allocated in full at once: an array that grows would leave a copy of the keys in memory.
        var bytes = [UInt8](repeating: 0, count: 2 * SecretKey.length)
        defer { bytes.withUnsafeMutableBytes(wipe) }
        bytes.withUnsafeMutableBytes { bytes in
            syncStateKey.withUnsafeBytes { bytes.copyBytes(from: $0) }
            codeKey.withUnsafeBytes { key in
                UnsafeMutableRawBufferPointer(rebasing: bytes[SecretKey.length...]).copyBytes(from: key)
            }
        }
        return key.seal(bytes, at: LastingKeys.place(of: epoch))
    }

    private static func place(of epoch: Int64) -> SealedPlace {
        SealedPlace("lasting_keys", "sealed_keys", row: .number(epoch))
    }
}
