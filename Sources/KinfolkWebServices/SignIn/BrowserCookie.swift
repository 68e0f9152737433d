import KinfolkCrypto

/// A cookie that binds a sign-in to the browser in which it began: a random number, and nothing else. It proves nobody's identity.
struct BrowserCookie {
    private static let length = 16

    /// With TLS, the prefix keeps other sites of the same domain from setting it (RFC 6265bis, section 4.1.3.2).
    private var name: String { BrowserCookie.name(isSecure) }
    private static func name(_ isSecure: Bool) -> String { (isSecure ? "__Host-" : "") + "kinfolk-browser" }

    private let isSecure: Bool
    private let value: String
    /// Whether the browser does not have it yet.
    private let isNew: Bool

    init(_ head: WebRequest.Head, isSecure: Bool) {
        self.isSecure = isSecure
        let prefix = BrowserCookie.name(isSecure) + "="
        let cookies = head.headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
        let known = cookies.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
        if let known, Base64.bytes(known, urlSafe: true)?.count == BrowserCookie.length {
            (value, isNew) = (known, false)
        } else {
            (value, isNew) = (Base64.text(SecureRandom.bytes(BrowserCookie.length), urlSafe: true), true)
        }
    }

    /// What stands for the browser in forms.
    var hash: String { Base64.text(SHA256.hash(of: Array(value.utf8)), urlSafe: true) }

    /// Whether a form can come from this browser: it had the cookie before.
    var isKnown: Bool { !isNew }

    /// The answer with the cookie, if the browser does not have it.
    func set(in response: WebResponse) -> WebResponse {
        guard isNew else { return response }
        var response = response
        let attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
        response.headers.append(("set-cookie", "\(name)=\(value)\(attributes)"))
        return response
    }
}
