/// Errors in a batch, or in data from the other side.
package enum OPRFError: Error {
    /// Buffers that belong together hold different numbers of elements, or a buffer ends inside an element.
    case wrongCount
    /// An input or the information of a key is longer than 65,535 bytes.
    case inputTooLong
    /// An input hashes to the identity. No such input is known.
    case unusableInput
    /// 32 bytes are not the canonical encoding of an element of the group.
    case notAnElement
    /// An element is the identity.
    case identity
    /// 32 bytes are not a number below the group's order.
    case notAScalar
    /// A key or a blind is zero.
    case zeroScalar
    /// The batch is empty, so there is nothing to prove.
    case nothingToProve
    /// The batch has more elements than a proof allows: 65,535.
    case tooManyToProve
    /// The mode has no proofs.
    case modeWithoutProofs
    /// The elements were not evaluated with the public key's secret key, or data was changed in transit.
    case wrongProof
    /// No key can be derived from a seed. No such seed is known.
    case unusableSeed
    /// libsodium cannot be initialized, or the system has no memory for a secret.
    case unavailable
}
