/// What the discovery of a contact book found.
public struct Discovery: Sendable {
    /// The people, each once, in the order in which the book names them first.
    public let identities: [DiscoveredIdentity]

    /// What to pass to the next discovery, so that asking again about the same contacts costs nothing.
    ///
    /// It is sealed: who keeps it reads nothing in it. Several may be passed at once, one after the other.
    public let syncState: [UInt8]

    package init(identities: [DiscoveredIdentity], syncState: [UInt8]) {
        self.identities = identities
        self.syncState = syncState
    }
}

extension Discovery: Redacted {
    /// How many people were found.
    public var description: String { "Discovery(\(identities.count) identities)" }
}

#if !KINFOLK_BLOCKING
extension Discovery: Codable {}
#endif
