/// The errors of KinfolkCrypto.
package enum CryptoError: Error {
    /// A sealed value cannot be opened: it was changed, moved, or sealed under another key.
    case notAuthentic
    /// libsodium cannot be initialized, or the system has no memory for a secret.
    case unavailable
    /// A secret cannot be locked in memory, and the host requires it.
    case notLocked
}
