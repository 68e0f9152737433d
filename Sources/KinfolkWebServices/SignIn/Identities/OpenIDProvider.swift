/// A provider of OpenID Connect, by which people can sign in.
public struct OpenIDProvider: Sendable {
    /// How people know it: the text of its link says "Continue with …".
    public let name: String
    /// Its issuer identifier, such as `https://accounts.example.com` (OpenID Connect Core 1.0, section 2).
    public let issuer: String
    /// What the provider calls this service.
    public let clientID: String
    /// The secret of this service at the provider; nil for a public client.
    public let clientSecret: String?
    /// The domains for whose e-mail addresses the provider's word counts (`email_verified`); `*` is all.
    public let emailDomains: [String]

    public init(name: String, issuer: String, clientID: String, clientSecret: String?, emailDomains: [String] = []) {
        self.name = name
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.emailDomains = emailDomains
    }

    /// Whether its word about an address counts.
    func vouches(for email: String) -> Bool {
        guard let at = email.lastIndex(of: "@") else { return false }
        let domain = email[email.index(after: at)...].lowercased()
        return emailDomains.contains { $0 == "*" || $0.lowercased() == domain }
    }

    /// Whether a URL can be that of a provider. Without TLS, only this machine is trusted.
    public static func isURL(_ url: String) -> Bool {
        let loopbacks = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
        let isLoopback = loopbacks.contains {
            url.hasPrefix($0) && [":", "/", nil].contains(url.dropFirst($0.count).first)
        }
        guard url.hasPrefix("https://") || isLoopback else { return false }
        return PageURL.isSafe(url) && !url.contains(where: { "#@\\\"".contains($0) })
    }
}
