import CSodium

/// A key of 32 bytes, and the keys that are derived from it.
package struct SecretKey: Sendable {
    package static let length = 32

    private let bytes: SecretBytes

    package init(_ bytes: SecretBytes) throws {
        guard bytes.count == SecretKey.length else { throw CryptoError.unavailable }
        self.bytes = bytes
    }

    package init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(SecretBytes(copying: bytes))
    }

    package static func random() throws -> SecretKey {
        try SecretKey(SecretBytes(count: length, fill: SecureRandom.fill))
    }

    /// The key for one purpose (libsodium's KDF: keyed BLAKE2b with `purpose`, eight ASCII characters, as context).
    package func derive(_ purpose: StaticString, _ number: UInt64 = 1) throws -> SecretKey {
        guard purpose.utf8CodeUnitCount == Int(crypto_kdf_blake2b_CONTEXTBYTES) else { throw CryptoError.unavailable }
        return try SecretKey(
            SecretBytes(count: SecretKey.length) { derived in
                withUnsafeBytes { key in
                    guard let output = derived.baseAddress, let key = key.baseAddress else { return }
                    crypto_kdf_blake2b_derive_from_key(
                        output.assumingMemoryBound(to: UInt8.self),
                        derived.count,
                        number,
                        UnsafeRawPointer(purpose.utf8Start).assumingMemoryBound(to: CChar.self),
                        key.assumingMemoryBound(to: UInt8.self)
                    )
                }
            }
        )
    }

    /// A key that nobody can compute without both keys: keyed BLAKE2b of the other one.
    package func combined(with other: SecretKey) throws -> SecretKey {
        try SecretKey(
            SecretBytes(count: SecretKey.length) { combined in
                withUnsafeBytes { key in
                    other.withUnsafeBytes { other in
                        guard let output = combined.baseAddress, let other = other.baseAddress else { return }
                        crypto_generichash_blake2b(
                            output.assumingMemoryBound(to: UInt8.self),
                            combined.count,
                            other.assumingMemoryBound(to: UInt8.self),
                            UInt64(SecretKey.length),
                            key.baseAddress,
                            key.count
                        )
                    }
                }
            }
        )
    }

    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// Compares in constant time: the time does not depend on the content.
    package func equals(_ other: SecretKey) -> Bool { other.withUnsafeBytes(bytes.equals) }
}
