package import KinfolkCrypto
public import KinfolkModel

/// A token by which an application calls the network service, for one environment of one container. The secret text itself is shown only
/// when the token is created.
public struct APIToken: Hashable, Sendable {
    /// The name that the operator gave it.
    public let name: String
    /// The origins of the pages that may use it in a browser, such as `https://app.example.com`. They bind browsers only.
    public let origins: [String]
    /// The URLs to which a sign-in may return.
    public let returnURLs: [String]
    /// Whether its users may look for other users.
    public let allowsDiscovery: Bool
    /// When it was created.
    public let createdAt: Timestamp

    /// By this, the store finds it.
    package let tag: Tag

    package init(
        tag: Tag,
        name: String,
        origins: [String],
        returnURLs: [String],
        allowsDiscovery: Bool,
        createdAt: Timestamp
    ) {
        self.tag = tag
        self.name = name
        self.origins = origins
        self.returnURLs = returnURLs
        self.allowsDiscovery = allowsDiscovery
        self.createdAt = createdAt
    }
}
