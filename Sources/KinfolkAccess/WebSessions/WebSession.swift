public import KinfolkModel

/// A browser, or another client of the network service, in which a person is signed in to a container.
public struct WebSession: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits. It is no secret: it does not give access.
    public let id: String
    /// The container's name.
    public let container: String
    /// The container's environment.
    public let environment: ContainerEnvironment
    /// The name of the API token through which the person signed in.
    public let apiTokenName: String
    /// When it began.
    public let createdAt: Timestamp
    /// When the person last proved who they are.
    public let signedInAt: Timestamp
    /// When it ends unless it is used before.
    public let expiresAt: Timestamp
    /// Whether it ends after two weeks without use, and not after half an hour.
    public let isLasting: Bool

    package init(
        id: RandomID,
        container: String,
        environment: ContainerEnvironment,
        apiTokenName: String,
        createdAt: Timestamp,
        signedInAt: Timestamp,
        expiresAt: Timestamp,
        isLasting: Bool
    ) {
        self.id = id.hex
        self.container = container
        self.environment = environment
        self.apiTokenName = apiTokenName
        self.createdAt = createdAt
        self.signedInAt = signedInAt
        self.expiresAt = expiresAt
        self.isLasting = isLasting
    }
}
