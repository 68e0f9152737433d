public import KinfolkModel

/// An address of an account.
public struct AccountEmail: Hashable, Sendable {
    /// The address as it was spelled when it was added. Use it to send mail.
    public let spelling: String
    /// When it was verified; nil if it is not verified, and so has no effect.
    public let verifiedAt: Timestamp?
    /// Whether people may find the account by this address in containers where discoverability is granted.
    public let isDiscoverable: Bool
    /// When it was added.
    public let addedAt: Timestamp

    /// Whether it is verified. Only then can the account be found or looked up by it.
    public var isVerified: Bool { verifiedAt != nil }
}

extension AccountEmail: Redacted {}
