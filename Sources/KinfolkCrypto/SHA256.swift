import CSodium

/// SHA-256 (FIPS 180-4), also of a message that is given in pieces.
package struct SHA256 {
    package static let length = Int(crypto_hash_sha256_BYTES)

    private var state = crypto_hash_sha256_state()

    package init() { crypto_hash_sha256_init(&state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        crypto_hash_sha256_update(&state, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// The hash of all pieces. Nothing can be added afterwards.
    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.length) { digest, count in
            guard let start = digest.baseAddress else { return }
            crypto_hash_sha256_final(&state, start)
            count = SHA256.length
        }
    }

    /// The hash of a message.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// Writes the hash of `bytes` to the 32 bytes of `digest`.
    package static func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
        guard digest.count == length, let output = digest.baseAddress else { return }
        crypto_hash_sha256(
            output.assumingMemoryBound(to: UInt8.self),
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt64(bytes.count)
        )
    }
}
