import CSodium

/// Derives a key from a passphrase: Argon2id (RFC 9106), through libsodium.
package struct Passphrase: Sendable {
    private static let saltLength = Int(crypto_pwhash_argon2id_SALTBYTES)
    private static let encodedLength = saltLength + 8

    private let salt: [UInt8]
    private let passes: UInt32
    private let kibibytes: UInt32

    /// With a new salt, and libsodium's moderate cost: 3 passes over 256 MiB.
    package init() {
        salt = SecureRandom.bytes(Passphrase.saltLength)
        passes = UInt32(crypto_pwhash_argon2id_OPSLIMIT_MODERATE)
        kibibytes = UInt32(crypto_pwhash_argon2id_MEMLIMIT_MODERATE) / 1_024
    }

    /// Reads the salt and the cost from ``bytes``. Nil if they are malformed, or would take more than 1 GiB or 16 passes: a store
    /// that an attacker wrote must not keep the machine busy.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Passphrase.encodedLength else { return nil }
        salt = Array(bytes.prefix(Passphrase.saltLength))
        func number(at offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        passes = number(at: Passphrase.saltLength)
        kibibytes = number(at: Passphrase.saltLength + 4)
        guard (1...16).contains(passes), (8...1_048_576).contains(kibibytes) else { return nil }
    }

    /// The salt and the cost. They are not secret, and are stored with the data that the key protects.
    package var bytes: [UInt8] {
        salt + withUnsafeBytes(of: passes.littleEndian, Array.init)
            + withUnsafeBytes(of: kibibytes.littleEndian, Array.init)
    }

    package func key(from passphrase: SecretBytes) throws -> SecretKey {
        var isDerived = false
        let key = try SecretBytes(count: SecretKey.length) { key in
            isDerived = passphrase.withUnsafeBytes { passphrase in
                guard let key = key.baseAddress, let text = passphrase.baseAddress else { return false }
                return crypto_pwhash_argon2id(
                    key.assumingMemoryBound(to: UInt8.self),
                    UInt64(SecretKey.length),
                    text.assumingMemoryBound(to: CChar.self),
                    UInt64(passphrase.count),
                    salt,
                    UInt64(passes),
                    Int(kibibytes) * 1_024,
                    crypto_pwhash_argon2id_ALG_ARGON2ID13
                ) == 0
            }
        }
        guard isDerived else { throw CryptoError.unavailable }
        return try SecretKey(key)
    }
}
