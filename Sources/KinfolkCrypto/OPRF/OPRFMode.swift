/// The supported modes of RFC 9497, with the ciphersuite ristretto255-SHA512 (section 4.1).
///
/// The modes have different outputs, even with the same key.
package enum OPRFMode: UInt8, Sendable {
    case oprf = 0x00
    /// With proofs that the server used the secret key of its public key.
    case voprf = 0x01

    /// A domain separation tag: `purpose` and the context string (section 3.1).
    func tag(_ purpose: StaticString) -> [UInt8] {
        var tag: [UInt8] = []
        for part in [purpose, "OPRFV1-"] as [StaticString] {
            tag += UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        }
        return tag + [rawValue] + Array("-ristretto255-SHA512".utf8)
    }
}
