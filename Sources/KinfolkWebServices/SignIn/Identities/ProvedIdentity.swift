import Kinfolk

/// An identity that a provider or a proxy has just proved.
struct ProvedIdentity: Sendable {
    let issuer: String
    let subject: String
    /// An address whose owner the person is, by the word of somebody who is trusted to know; nil if there is none.
    let trustedEmail: String?
    /// The name, as far as it is known.
    var name = PersonName()

    init(issuer: String, subject: String, trustedEmail: String? = nil) {
        (self.issuer, self.subject, self.trustedEmail) = (issuer, subject, trustedEmail)
    }
}
