import KinfolkJSON

/// Where a provider's endpoints are (OpenID Connect Discovery 1.0, section 3).
struct OpenIDMetadata: Sendable {
    let authorizationEndpoint: String
    let tokenEndpoint: String
    /// Whether the secret goes into the form, because the provider does not know the scheme Basic.
    let wantsSecretInForm: Bool

    /// Whether its answers name the issuer (RFC 9207, section 3). Then one that does not is from somebody else.
    let namesIssuer: Bool

    /// The document with the metadata of an issuer.
    static func url(of issuer: String) -> String {
        (issuer.last == "/" ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Nil if the document is not that of the provider.
    init?(_ document: [UInt8], of provider: OpenIDProvider) {
        guard let json = try? JSONText.value(in: document[...]), let members = try? Members(json),
            let name = try? members.text("issuer"), name.utf8.elementsEqual(provider.issuer.utf8),
            let authorization = try? members.text("authorization_endpoint"), provider.canHaveEndpoint(authorization),
            let token = try? members.text("token_endpoint"), provider.canHaveEndpoint(token)
        else { return nil }
        (authorizationEndpoint, tokenEndpoint) = (authorization, token)
        namesIssuer = (try? members.flag("authorization_response_iss_parameter_supported")) == true
        let methods = (try? members.texts("token_endpoint_auth_methods_supported")) ?? nil
        wantsSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") } ?? false
    }
}
