/// What can be wrong with a batch, or with what the other side sent.
package enum OPRFError: Error {
    /// Buffers that belong together are not of the same number, or one ends inside an element.
    case wrongCount
    /// An input or the information of a key is longer than 65,535 bytes.
    case inputTooLong
    /// An input hashes to the identity. Nobody knows one that does.
    case unusableInput
    /// 32 bytes are no element of the group in its only encoding.
    case notAnElement
    /// An element is the identity.
    case identity
    /// 32 bytes are no number below the group's order.
    case notAScalar
    /// A key or a blind is zero.
    case zeroScalar
    /// There is no element to prove anything about.
    case nothingToProve
    /// More elements than a proof can number: 65,535.
    case tooManyToProve
    /// The mode has no proofs.
    case modeWithoutProofs
    /// The elements were not evaluated with the public key's secret key, or something was changed on the way.
    case wrongProof
    /// A seed gives no key. Nobody knows one that does not.
    case unusableSeed
    /// libsodium does not start, or the system has no memory for a secret.
    case unavailable
}
