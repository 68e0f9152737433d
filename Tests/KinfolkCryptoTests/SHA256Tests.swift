import KinfolkCrypto
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4 examples (NIST, "SHA-256"), and the empty message of the CAVP vectors.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesAsPublished(message: String, digest: String) { #expect(hex(sha256(Array(message.utf8))) == digest) }

    @Test func hashesAMillionLettersAsPublished() {
        let digest = sha256([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(hex(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [0, 31, 33]) func writesNothingToADigestOfAnotherLength(length: Int) {
        var digest = [UInt8](repeating: 7, count: length)
        digest.withUnsafeMutableBytes { digest in [1].withUnsafeBytes { SHA256.hash($0, into: digest) } }
        #expect(digest.allSatisfy { $0 == 7 })
    }

    private func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.length)
        message.withUnsafeBytes { message in digest.withUnsafeMutableBytes { SHA256.hash(message, into: $0) } }
        return digest
    }
}
