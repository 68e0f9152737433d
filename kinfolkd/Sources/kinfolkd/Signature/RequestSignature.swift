import Crypto

/// ECDSA signatures of requests: P-256, SHA-256, DER.
enum RequestSignature {
    /// Whether the signature is that of the message.
    ///
    /// Only the DER form of the two numbers is accepted, so that nobody can write one signature in two ways.
    static func isValid(_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool {
        guard publicKey.count == 65, publicKey.first == 4, (8...72).contains(signature.count),
            let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature),
            Array(parsed.derRepresentation) == signature
        else { return false }
        return key.isValidSignature(parsed, for: message)
    }
}
