public import KinfolkModel

/// The result of discovering a contact book.
public struct Discovery: Sendable {
    /// The people, each once, in the order of their first contacts in the book.
    public let identities: [DiscoveredIdentity]

    /// A state to pass to the next discovery, so that asking about the same contacts again costs nothing.
    ///
    /// It is sealed, so its holder cannot read it. Several states may be passed at once, one after the other.
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
