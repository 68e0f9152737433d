public import KinfolkModel

/// A person whom a discovery found.
public struct DiscoveredIdentity: Hashable, Sendable {
    /// The person's user record ID in this container.
    public let userRecordID: UserRecordID
    /// The person's name at the time of the discovery. Either part may be empty.
    public let name: PersonName
    /// The contacts that led to the person, in the order of the book. Empty after a discovery by ID or by e-mail address.
    public let contacts: [Contact]

    package init(userRecordID: UserRecordID, name: PersonName, contacts: [Contact]) {
        self.userRecordID = userRecordID
        self.name = name
        self.contacts = contacts
    }

    /// A contact of the book that was searched.
    public struct Contact: Hashable, Sendable {
        /// The contact's position in the book, from 0.
        public let index: Int
        /// The contact's label in the book.
        public let label: String

        package init(index: Int, label: String) {
            self.index = index
            self.label = label
        }
    }
}

extension DiscoveredIdentity: Redacted {
    /// How many contacts led to the person.
    public var description: String { "DiscoveredIdentity(\(contacts.count) contacts)" }
}

extension DiscoveredIdentity.Contact: Redacted {}

#if !KINFOLK_BLOCKING
extension DiscoveredIdentity: Codable {}
#endif
