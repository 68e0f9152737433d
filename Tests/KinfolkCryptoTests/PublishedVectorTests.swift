import CSodium
import Testing

/// Compares the linked libsodium with the published vectors of its algorithms.
@Suite struct PublishedVectorTests {
    /// RFC 7693, appendix A.
    @Test func blake2bHashesAbcAsInItsRFC() {
        #expect(
            hex(blake2b(Array("abc".utf8), key: []))
                == "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        )
    }

    /// The first of the keyed known answers of the reference implementation (`blake2b-kat.txt`).
    @Test func keyedBlake2bOfAnEmptyInputMatchesItsKnownAnswers() {
        #expect(
            hex(blake2b([], key: Array(0..<64)))
                == "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
                + "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"
        )
    }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    @Test func xchacha20Poly1305SealsAsInItsDraft() {
        let message = Array(
            ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                + "sunscreen would be it.").utf8
        )
        let associated = bytes(hex: "50515253c0c1c2c3c4c5c6c7")
        let key = [UInt8](0x80...0x9f)
        let nonce = [UInt8](0x40...0x57)
        var sealed = [UInt8](repeating: 0, count: message.count + 16)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed,
            nil,
            message,
            UInt64(message.count),
            associated,
            UInt64(associated.count),
            nil,
            nonce,
            key
        )
        #expect(hex(sealed.prefix(16)) == "bd6d179d3e83d43b9576579493c0e939")
        #expect(hex(sealed.suffix(16)) == "c0875924c1c7987947deafd8780acf49")
    }

    private func blake2b(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        crypto_generichash_blake2b(&digest, digest.count, message, UInt64(message.count), key, key.count)
        return digest
    }
}
