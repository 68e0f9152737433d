import Kinfolk
import KinfolkThreads
import KinfolkWebServices
import TestSupport
import Testing

/// A person with a browser: it keeps the cookie and the last page, and sends its forms.
final class Browser {
    private let client: WebClient
    private var cookie: String?
    /// The last page. A test may go back to an earlier one.
    var page: WebReply
    private(set) var path = ""
    /// Headers that the browser, or a proxy, adds to each request.
    var headers: [(name: String, value: String)] = []
    /// Whether the requests come from a trusted proxy.
    var isProxied = false

    init(_ client: WebClient) {
        self.client = client
        page = WebReply(WebResponse(status: 0))
    }

    /// Opens a URL of the service.
    func open(_ url: String) {
        let parts = url.split(separator: "?", maxSplits: 1)
        path = String(parts[0])
        page = send("GET", query: parts.count > 1 ? String(parts[1]) : "", "")
    }

    /// Sends the form of the page with this step.
    func submit(_ step: String, _ fields: [String: String] = [:]) {
        var all = ["step": step, "flow": hidden("flow") ?? ""]
        all.merge(fields) { $1 }
        let body = all.map { "\($0.key)=\(Browser.encoded($0.value))" }.joined(separator: "&")
        // The page of a step may be at another path than the steps that follow.
        if let action = page.text.split(separator: "action=\"", maxSplits: 1).dropFirst().first?.prefix(while: {
            $0 != "\""
        }) {
            path = String(action)
        }
        page = send("POST", query: "", body)
    }

    /// The value of a hidden field of the page.
    func hidden(_ name: String) -> String? {
        let parts = page.text.split(separator: "name=\"\(name)\" value=\"", maxSplits: 1)
        return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }

    /// The URLs of the links on the page.
    var links: [String] {
        page.text.split(separator: "href=\"").dropFirst().map { part in
            String(part.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        }
    }

    func forgetCookie() { cookie = nil }

    private func send(_ method: String, query: String, _ body: String) -> WebReply {
        var headers = headers + [("accept-language", "en")]
        if let cookie { headers.append(("cookie", "other=1; " + cookie)) }
        let head = WebRequest.Head(
            method: method,
            path: path,
            query: query,
            headers: headers,
            client: "203.0.113.7",
            isFromTrustedProxy: isProxied
        )
        let reply = client.send(head, Array(body.utf8))
        if let set = reply.headers["set-cookie"] { cookie = String(set.prefix { $0 != ";" }) }
        return reply
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
