/// A mail that the service sends to a person.
public struct WebMail: Sendable {
    /// Where it goes: the canonical form of an address. Its domain is in A-labels; its local part may be UTF-8.
    public let address: String
    public let subject: String
    public let text: String
}
