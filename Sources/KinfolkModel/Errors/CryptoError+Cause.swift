package import KinfolkCrypto

extension CryptoError: KinfolkErrorCause {
    package var kinfolkError: KinfolkError {
        switch self {
        case .notAuthentic: .damaged("A sealed value does not open: the store was edited without the key.")
        case .notLocked:
            KinfolkError(
                .serviceUnavailable,
                """
                The system does not lock the keys in memory, as is required here: raise the limit of locked memory \
                (RLIMIT_MEMLOCK, LimitMEMLOCK= of systemd, ulimit -l).
                """
            )
        case .unavailable: KinfolkError(.internalError, "There is no memory for a key.")
        }
    }
}
