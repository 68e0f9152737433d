/// A mail that the service sends to a person.
public struct WebMail: Sendable {
    public let address: String
    public let subject: String
    public let text: String
}
