import Kinfolk
import KinfolkCrypto
import KinfolkJSON
import KinfolkThreads

/// This service as a client of its OpenID Connect providers: the authorization code flow with PKCE (RFC 7636).
final class OpenIDClient: Sendable {
    /// For how many seconds metadata is kept, and for how many a failure is.
    private static let (validity, pause) = (3_600.0, 10.0)

    private let known = Lock<[String: (metadata: OpenIDMetadata?, at: Timestamp)]>([:])

    /// The endpoints of a provider; nil if it does not answer.
    func metadata(of provider: OpenIDProvider, _ services: WebServices) -> OpenIDMetadata? {
        let now = services.service.clock()
        if let (metadata, time) = known.withLock({ $0[provider.issuer] }) {
            let age = now.seconds(since: time)
            if age >= 0, age < (metadata == nil ? OpenIDClient.pause : OpenIDClient.validity) { return metadata }
        }
        let document = services.configuration.fetch?(WebFetch(OpenIDMetadata.url(of: provider.issuer)))
        let metadata = document.flatMap { OpenIDMetadata($0, of: provider) }
        known.withLock { $0[provider.issuer] = (metadata, now) }
        return metadata
    }

    /// Where the browser goes to prove the identity.
    ///
    /// - Parameter state: What the provider sends back.
    func authorizationURL(
        _ provider: OpenIDProvider,
        _ metadata: OpenIDMetadata,
        state: String,
        _ proof: SignInFlow.Proof,
        _ services: WebServices
    ) -> String {
        let challenge = Base64.text(SHA256.hash(of: Array(proof.verifier.utf8)), urlSafe: true)
        let items = [
            ("response_type", "code"), ("client_id", provider.clientID),
            ("redirect_uri", redirectURL(provider, services)), ("scope", "openid email profile"), ("state", state),
            ("nonce", proof.nonce), ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        return items.reduce(metadata.authorizationEndpoint) { PageURL.adding($1.0, $1.1, to: $0) }
    }

    /// The identity for which the provider gave a code; nil if the provider, or what it says, is not as expected.
    func identity(
        _ provider: OpenIDProvider,
        code: String,
        _ proof: SignInFlow.Proof,
        _ services: WebServices
    ) -> ProvedIdentity? {
        guard let metadata = metadata(of: provider, services) else { return nil }
        var fields = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", redirectURL(provider, services)), ("code_verifier", proof.verifier),
        ]
        var user: (name: String, password: String)?
        switch provider.clientSecret {
        case let secret? where !metadata.wantsSecretInForm:
            // RFC 6749, section 2.3.1: both are encoded as in a form first.
            user = (PageURL.encoded(provider.clientID), PageURL.encoded(secret))
        case let secret:
            fields.append(("client_id", provider.clientID))
            if let secret { fields.append(("client_secret", secret)) }
        }
        let form = fields.map { "\($0.0)=\(PageURL.encoded($0.1))" }.joined(separator: "&")
        guard let answer = services.configuration.fetch?(WebFetch(metadata.tokenEndpoint, form: form, user: user)),
            let json = try? JSONText.value(in: answer[...]), let members = try? Members(json),
            let text = try? members.text("id_token")
        else { return nil }
        let token = IDToken(text, of: provider, nonce: proof.nonce, at: services.service.clock())
        return token?.identity(provider)
    }

    private func redirectURL(_ provider: OpenIDProvider, _ services: WebServices) -> String {
        services.configuration.origin + provider.callbackPath
    }
}
