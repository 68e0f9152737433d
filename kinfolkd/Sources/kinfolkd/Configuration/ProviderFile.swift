import KinfolkWebServices

/// A file that describes an OpenID Connect provider.
struct ProviderFile {
    let provider: OpenIDProvider
    let problems: [String]

    init(path: String) {
        var file = SettingLines(path: path)
        let secret = file.value("client-secret")
        let domains = file.value("email-domains") ?? ""
        provider = OpenIDProvider(
            name: file.required("name"),
            issuer: file.required("issuer"),
            clientID: file.required("client-id"),
            clientSecret: secret,
            emailDomains: domains.split(separator: " ").map(String.init)
        )
        if !provider.issuer.isEmpty, !OpenIDProvider.isIssuer(provider.issuer) {
            file.add("The issuer must be a URL that begins with https:// and has no query.")
        }
        file.refuseOthers { ["name", "issuer", "client-id", "client-secret", "email-domains"].contains($0) }
        problems = file.problems
    }
}
