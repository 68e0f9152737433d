import KinfolkJSON

/// Where a provider's endpoints are (OpenID Connect Discovery 1.0, section 3).
struct OpenIDMetadata: Sendable {
    let authorizationEndpoint: String
    let tokenEndpoint: String
    /// Whether the secret goes into the form, because the provider does not know the scheme Basic.
    let wantsSecretInForm: Bool

    /// The document with the metadata of an issuer.
    static func url(of issuer: String) -> String {
        (issuer.last == "/" ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Nil if the document is not that of the issuer.
    init?(_ document: [UInt8], of issuer: String) {
        guard let json = try? JSONText.value(in: document[...]), let members = try? Members(json),
            let name = try? members.text("issuer"), name.utf8.elementsEqual(issuer.utf8),
            let authorization = try? members.text("authorization_endpoint"), OpenIDProvider.isURL(authorization),
            let token = try? members.text("token_endpoint"), OpenIDProvider.isURL(token)
        else { return nil }
        (authorizationEndpoint, tokenEndpoint) = (authorization, token)
        let methods = (try? members.texts("token_endpoint_auth_methods_supported")) ?? nil
        wantsSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") } ?? false
    }
}
