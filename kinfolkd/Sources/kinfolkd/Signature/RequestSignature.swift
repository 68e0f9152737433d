/// ECDSA signatures of requests: P-256, SHA-256, DER.
enum RequestSignature {
    /// What comes before the point of a key in SubjectPublicKeyInfo (RFC 5480, section 2): id-ecPublicKey, secp256r1, and a bit string.
    private static let keyHeader: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d,
        0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Whether signatures can be checked on this machine.
    static var isAvailable: Bool { LibCrypto.shared != nil }

    /// Whether the signature is that of the message.
    ///
    /// - Parameter publicKey: The point, uncompressed (X9.63): 65 bytes.
    static func isValid(_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool {
        guard let library = LibCrypto.shared, publicKey.count == 65, publicKey.first == 4,
            (8...72).contains(signature.count)
        else { return false }
        defer { library.clearErrors() }
        let encoded = keyHeader + publicKey
        let key = encoded.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return library.decodeKey(nil, &next, bytes.count)
        }
        guard let key else { return false }
        defer { library.freeKey(key) }
        guard let context = library.makeContext() else { return false }
        defer { library.freeContext(context) }
        guard library.beginVerifying(context, nil, library.sha256(), nil, key) == 1 else { return false }
        return library.verify(context, signature, signature.count, message, message.count) == 1
    }
}
