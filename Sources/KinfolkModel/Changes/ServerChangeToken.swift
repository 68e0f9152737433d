/// A position in the changes of a zone or of a database.
///
/// It is opaque: sealed, and valid only for the user, environment, database and zone for which it was made. It stays valid when keys
/// are rotated, unless the old key leaked.
///
/// ```swift
/// try save(token.bytes)
/// let token = try ServerChangeToken(bytes: load())
/// ```
public struct ServerChangeToken: Hashable, Sendable {
    /// The maximum length of ``bytes``.
    public static let maximumLength = 256

    /// The token, to be stored by the application.
    public let bytes: [UInt8]

    /// A token that was stored.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is empty or longer than ``maximumLength``. Whether it is valid is found
    ///   out when it is used.
    public init(bytes: [UInt8]) throws(KinfolkError) {
        guard (1...ServerChangeToken.maximumLength).contains(bytes.count) else {
            throw KinfolkError(.invalidArgument, "A server change token has 1 to 256 bytes.")
        }
        self.bytes = bytes
    }

    package init(valid bytes: [UInt8]) { self.bytes = bytes }
}

extension ServerChangeToken: Redacted {}
