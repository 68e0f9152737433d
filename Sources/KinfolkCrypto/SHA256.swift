import CSodium

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    package static let length = Int(crypto_hash_sha256_BYTES)

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
