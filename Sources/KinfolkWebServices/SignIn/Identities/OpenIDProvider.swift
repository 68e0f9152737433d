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

    /// Where it sends browsers back: a path of its own, so that no provider can pass an answer off as another one's (RFC 9700, section
    /// 4.4.2). It has the issuer without its scheme, and `~` for each slash in it.
    public var callbackPath: String {
        let rest = issuer.split(separator: "//", maxSplits: 1).last.map(String.init) ?? issuer
        return IdentityRequest.callbackRoot + String(rest.map { $0 == "/" ? "~" : $0 })
    }

    /// Whether its word about an address counts.
    func vouches(for email: String) -> Bool {
        guard let at = email.lastIndex(of: "@") else { return false }
        let domain = email[email.index(after: at)...].lowercased()
        return emailDomains.contains { $0 == "*" || $0.lowercased() == domain }
    }

    /// Whether a URL can be an issuer identifier. Without TLS, only this machine is trusted.
    public static func isIssuer(_ url: String) -> Bool { isURL(url) && !url.contains("?") }

    /// Whether a URL can be an endpoint of this provider. It may be on another host, but on this machine only if the issuer is: the
    /// service can reach programs here that others cannot.
    func canHaveEndpoint(_ url: String) -> Bool {
        OpenIDProvider.isURL(url) && (!OpenIDProvider.isOnThisMachine(url) || OpenIDProvider.isOnThisMachine(issuer))
    }

    private static func isURL(_ url: String) -> Bool {
        let isLoopback = ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains {
            url.hasPrefix($0) && [":", "/", nil].contains(url.dropFirst($0.count).first)
        }
        guard url.hasPrefix("https://") || isLoopback else { return false }
        return PageURL.isSafe(url) && !url.contains(where: { "#@\\\"".contains($0) })
    }

    /// Whether the host is named as one of this machine. Names that resolve to it are not known here; TLS stops those.
    private static func isOnThisMachine(_ url: String) -> Bool {
        let rest = (url.split(separator: "//", maxSplits: 1).last ?? "").prefix { !"/?".contains($0) }.lowercased()
        var host = rest.hasPrefix("[") ? rest.prefix { $0 != "]" } : rest.prefix { $0 != ":" }
        if host.last == "." { host.removeLast() }
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "0.0.0.0"
            || host == "[::1" || host == "[::" || host.hasPrefix("[::ffff:")
    }
}
