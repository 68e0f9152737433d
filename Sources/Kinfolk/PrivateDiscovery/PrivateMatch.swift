/// A person whom a private discovery found, without a name: the server has not learned who it was.
public struct PrivateMatch: Hashable, Sendable {
    /// The person's name in this container.
    public let userRecordID: UserRecordID
    /// The contacts that led to the person, in the order of the book.
    public let contacts: [DiscoveredIdentity.Contact]
}

extension DiscoveredIdentity {
    /// A match, whose name is not known.
    package init(_ match: PrivateMatch) {
        self.init(
            userRecordID: match.userRecordID,
            name: PersonName(givenName: "", familyName: ""),
            contacts: match.contacts
        )
    }
}
