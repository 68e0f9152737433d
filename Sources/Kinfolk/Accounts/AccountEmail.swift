/// An address of an account.
public struct AccountEmail: Hashable, Sendable {
    /// The address as it was spelled when it was added: for mailing.
    public let spelling: String
    /// When it was verified; nil if it is not, and so does not count.
    public let verifiedAt: Timestamp?
    /// Whether people may find the account by it where discoverability is granted.
    public let isDiscoverable: Bool
    /// When it was added.
    public let addedAt: Timestamp

    /// Whether it counts: for finding the account, and for being found.
    public var isVerified: Bool { verifiedAt != nil }
}

extension AccountEmail: Redacted {}
