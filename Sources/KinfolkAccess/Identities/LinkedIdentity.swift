public import KinfolkModel

/// An identity at an OpenID Connect provider, or one that a trusted proxy vouches for, by which a person signs in.
public struct LinkedIdentity: Hashable, Sendable {
    /// The provider's issuer identifier, such as `https://accounts.example.com`, or a name for the proxy.
    public let issuer: String
    /// The provider's identifier of the person, which is never given to another person.
    public let subject: String
    /// When it was added.
    public let addedAt: Timestamp

    package init(issuer: String, subject: String, addedAt: Timestamp) {
        (self.issuer, self.subject, self.addedAt) = (issuer, subject, addedAt)
    }

    static let maximumIssuerLength = 2_048
    static let maximumSubjectLength = 255

    static func validate(issuer: String, subject: String) throws(KinfolkError) {
        guard (1...maximumIssuerLength).contains(issuer.utf8.count), !issuer.utf8.contains(0),
            (1...maximumSubjectLength).contains(subject.utf8.count), !subject.utf8.contains(0)
        else {
            throw KinfolkError(
                .invalidArgument,
                "An issuer has 1 to \(maximumIssuerLength) bytes and a subject 1 to \(maximumSubjectLength), without a NUL."
            )
        }
    }
}

extension LinkedIdentity: Redacted {}
