import CSodium

/// A hash function with which software often stores addresses.
enum Digest: CaseIterable {
    case md5, sha1, sha256, sha512, blake2b128, blake2b256

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: return LegacyHash.md5(bytes)
        case .sha1: return LegacyHash.sha1(bytes)
        case .sha256:
            var digest = [UInt8](repeating: 0, count: 32)
            crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
            return digest
        case .sha512:
            var digest = [UInt8](repeating: 0, count: 64)
            crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
            return digest
        case .blake2b128: return Digest.blake2b(bytes, key: [], count: 16)
        case .blake2b256: return Digest.blake2b(bytes, key: [], count: 32)
        }
    }

    /// BLAKE2b with a key of at most 64 bytes.
    static func blake2b(_ bytes: [UInt8], key: [UInt8], count: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        crypto_generichash_blake2b(&digest, count, bytes, UInt64(bytes.count), key, key.count)
        return digest
    }

    /// Whether each function returns the digest of `abc` in its specification.
    static var areRight: Bool {
        let expected: [(Digest, [UInt8])] = [
            (.md5, [0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0]),
            (.sha1, [0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a]),
            (.sha256, [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea]),
            (.sha512, [0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba]),
            (.blake2b128, [0xcf, 0x4a, 0xb7, 0x91, 0xc6, 0x2b, 0x8d, 0x2b]),
            (.blake2b256, [0xbd, 0xdd, 0x81, 0x3c, 0x63, 0x42, 0x39, 0x72]),
        ]
        return expected.allSatisfy { digest, start in digest.hash(Array("abc".utf8)).starts(with: start) }
    }
}
