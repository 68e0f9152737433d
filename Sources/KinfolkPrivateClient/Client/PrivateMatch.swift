public import KinfolkContacts
public import KinfolkModel

/// A person whom a private discovery found, without a name: the server has not learnt who it is.
public struct PrivateMatch: Hashable, Sendable {
    /// The person's user record ID in this container.
    public let userRecordID: UserRecordID
    /// The contacts that led to the person, in the order of the book.
    public let contacts: [DiscoveredIdentity.Contact]
}

extension DiscoveredIdentity {
    /// Creates an identity from a match, with the name if it is known.
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
