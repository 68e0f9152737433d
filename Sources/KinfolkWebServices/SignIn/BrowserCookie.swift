import KinfolkCrypto

/// A cookie that binds a sign-in to the browser in which it began: a random number, and nothing else. It proves nobody's identity.
struct BrowserCookie {
    private static let name = "kinfolk-browser"
    private static let length = 16

    private let value: String
    /// Whether the browser does not have it yet.
    private let isNew: Bool

    init(_ head: WebRequest.Head) {
        let cookies = head.headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
        let known = cookies.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(BrowserCookie.name + "=") }
            .map { String($0.dropFirst(BrowserCookie.name.count + 1)) }
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
    func set(in response: WebResponse, isSecure: Bool) -> WebResponse {
        guard isNew else { return response }
        var response = response
        let attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
        response.headers.append(("set-cookie", "\(BrowserCookie.name)=\(value)\(attributes)"))
        return response
    }
}
