package import KinfolkCrypto

extension OPRFError: KinfolkErrorCause {
    package var kinfolkError: KinfolkError {
        switch self {
        case .notAnElement: KinfolkError(.invalidArgument, "A point of the message is not an element of ristretto255.")
        case .identity: KinfolkError(.invalidArgument, "A point of the message is the identity.")
        case .notAScalar: KinfolkError(.invalidArgument, "The message does not hold a valid proof.")
        case .wrongProof: KinfolkError(.keyMismatch, "The server did not use the key that it names.")
        case .unavailable: KinfolkError(.internalError, "There is no memory for a key.")
        default: KinfolkError(.internalError, "Unexpected failure of the oblivious function.")
        }
    }
}
