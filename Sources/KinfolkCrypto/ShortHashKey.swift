import CSodium

/// SipHash-2-4 (Aumasson and Bernstein, 2012): codes of 8 bytes for short messages, some tens of nanoseconds each.
///
/// A forged code is right with a probability of 2^-64. An attacker without the key never sees codes of messages of their choice.
package struct ShortHashKey: Sendable {
    package static let length = Int(crypto_shorthash_siphash24_KEYBYTES)
    package static let codeLength = Int(crypto_shorthash_siphash24_BYTES)

    private let key: SecretBytes

    /// Uses the first 16 bytes of a key that was derived for this purpose.
    package init(_ key: SecretKey) throws {
        self.key = try key.withUnsafeBytes { bytes in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<ShortHashKey.length]))
        }
    }

    /// The code of a message, as a big-endian number.
    package func code(of message: UnsafeRawBufferPointer) -> UInt64 { withHasher { $0(message) } }

    /// Makes many codes, but accesses the key only once.
    package func withHasher<Result>(
        _ body: ((UnsafeRawBufferPointer) -> UInt64) throws -> Result
    ) rethrows -> Result {
        try key.withUnsafeBytes { key in
            let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(WritableRows.nowhere)
            return try body { message in
                let start =
                    message.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(WritableRows.nowhere)
                var code: UInt64 = 0
                withUnsafeMutableBytes(of: &code) { code in
                    guard let output = code.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                    crypto_shorthash_siphash24(output, start, UInt64(message.count), key)
                }
                return UInt64(bigEndian: code)
            }
        }
    }
}
