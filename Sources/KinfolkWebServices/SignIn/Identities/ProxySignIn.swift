/// A trusted proxy that has asked people who they are, and says so in headers of their requests.
public struct ProxySignIn: Sendable {
    /// The header with the proxy's identifier of the person, in lower case.
    public let userHeader: String
    /// The header with an address that the proxy vouches for, in lower case; nil if there is none.
    public let emailHeader: String?

    public init(userHeader: String, emailHeader: String? = nil) {
        self.userHeader = userHeader
        self.emailHeader = emailHeader
    }

    /// The issuer of the linked identities.
    static let issuer = "proxy"

    /// Nil if the request is not from a trusted proxy, or if the proxy says of nobody that it is their request.
    func identity(of head: WebRequest.Head) -> ProvedIdentity? {
        guard head.isFromTrustedProxy, let user = only(userHeader, head) else { return nil }
        let email = emailHeader.flatMap { only($0, head) }
        return ProvedIdentity(issuer: ProxySignIn.issuer, subject: user, trustedEmail: email)
    }

    /// The value of a header; nil if there are several: then a client may have sent one of them.
    private func only(_ name: String, _ head: WebRequest.Head) -> String? {
        let values = head.headers.filter { $0.name == name }.map(\.value)
        guard values.count == 1, !values[0].isEmpty else { return nil }
        return values[0]
    }
}
