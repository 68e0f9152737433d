import Kinfolk

/// An identity that a provider or a proxy has just proved.
struct ProvedIdentity: Sendable {
    let issuer: String
    let subject: String
    /// The person's address, if a trusted provider or proxy has verified it. Always ASCII: a provider may have mailed to another spelling of
    /// an international address, which has another owner.
    let trustedEmail: String?
    /// The name, as far as it is known.
    var name = PersonName()

    /// Whom it names, for the question whether to link it.
    var person: String {
        let name = [name.givenName, name.familyName].filter { !$0.isEmpty }.joined(separator: " ")
        // People choose their names themselves at most providers.
        return [name, trustedEmail ?? subject].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    init(issuer: String, subject: String, trustedEmail: String? = nil) {
        (self.issuer, self.subject) = (issuer, subject)
        self.trustedEmail = trustedEmail.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0 : nil }
    }
}
