/// A person whom a private discovery found, without a name: the server has not learned who it was.
public struct PrivateMatch: Hashable, Sendable {
    /// The person's name in this container.
    public let userRecordID: UserRecordID
    /// The contacts that led to the person, in the order of the book.
    public let contacts: [DiscoveredIdentity.Contact]
}

extension DiscoveredIdentity {
    /// A match under the name that is known, if one is.
    package init(_ match: PrivateMatch, name: PersonName = PersonName(givenName: "", familyName: "")) {
        self.init(userRecordID: match.userRecordID, name: name, contacts: match.contacts)
    }
}

extension PrivateMatch: Redacted {
    /// How many contacts led to the person.
    public var description: String { "PrivateMatch(\(contacts.count) contacts)" }
}

#if !KINFOLK_BLOCKING
extension PrivateMatch: Codable {}
#endif
