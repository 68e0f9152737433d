import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// What a provider says about a person (OpenID Connect Core 1.0, section 2).
///
/// The token comes from the provider's token endpoint over TLS, which proves who made it (section 3.1.3.7, number 6). So its signature is not
/// checked, and no keys are fetched.
struct IDToken {
    /// How many seconds the clocks may differ.
    private static let skew = 120.0

    private let claims: Members

    /// Nil if the token is not a JWT (RFC 7519), not for this service, not for this sign-in, or too old.
    init?(_ text: String, of provider: OpenIDProvider, nonce: String, at now: Timestamp) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.bytes(String(parts[1]), urlSafe: true),
            let json = try? JSONText.value(in: bytes[...]), let claims = try? Members(json)
        else { return nil }
        self.claims = claims
        guard let issuer = self.text("iss"), issuer.utf8.elementsEqual(provider.issuer.utf8),
            isFor(provider.clientID),
            let own = self.text("nonce"), ConstantTime.equal(Array(own.utf8), Array(nonce.utf8)),
            let end = try? claims.number("exp"), end + IDToken.skew > Double(now.microseconds) / 1e6
        else { return nil }
    }

    /// Whether the token is for this client, and no other one may use it.
    private func isFor(_ clientID: String) -> Bool {
        switch claims["aud"] {
        case .string(let audience): guard audience == clientID else { return false }
        case .array(let audiences):
            let isNamed = audiences.contains { if case .string(clientID) = $0 { true } else { false } }
            guard isNamed, audiences.count == 1 || claims["azp"] != nil else { return false }
        default: return false
        }
        return claims["azp"] == nil || text("azp") == clientID
    }

    private func text(_ name: String) -> String? { (try? claims.text(name)) ?? nil }

    /// Who the person is; nil if the token does not say it.
    func identity(_ provider: OpenIDProvider) -> ProvedIdentity? {
        guard let subject = text("sub"), (1...255).contains(subject.utf8.count) else { return nil }
        // Some providers send a text.
        let isVerified = (try? claims.flag("email_verified")) == true || text("email_verified") == "true"
        let email = text("email").flatMap { isVerified && provider.vouches(for: $0) ? $0 : nil }
        var identity = ProvedIdentity(issuer: provider.issuer, subject: subject, trustedEmail: email)
        let (given, family) = (text("given_name") ?? "", text("family_name") ?? "")
        let fits = given.utf8.count <= PersonName.maximumLength && family.utf8.count <= PersonName.maximumLength
        if fits { identity.name = PersonName(givenName: given, familyName: family) }
        return identity
    }
}
