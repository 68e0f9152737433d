/// What can go wrong in KinfolkCrypto.
package enum CryptoError: Error {
    /// A sealed value does not open: it was changed, moved, or sealed under another key.
    case notAuthentic
    /// libsodium does not start, or the system has no memory for a secret.
    case unavailable
    /// A secret cannot be locked in memory, and the host requires it.
    case notLocked
}
