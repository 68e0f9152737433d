import Kinfolk
import KinfolkCrypto
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Signing in to an application in a browser.
@Suite("Web services: sign-in") struct WebSignInTests {
    private static let wording = ConsentWording("May friends find you by your address?", version: "7")

    private let store: TestService
    private let mails = Lock<[WebMail]>([])
    private let app: WebClient

    init() throws {
        store = try TestService()
        var configuration = WebConfiguration()
        configuration.sendMail = { [mails] mail in
            mails.withLock { $0.append(mail) }
            return true
        }
        configuration.wordings = [store.container.name: ConsentWordings(WebSignInTests.wording)]
        app = try WebClient(store, for: nil, configuration)
    }

    /// The link for somebody who has to sign in.
    private func link(_ headers: [(name: String, value: String)] = []) throws -> String {
        let head = WebRequest.Head(
            method: "GET",
            path: "/database/1/\(app.container.name)/development/public/users/current",
            query: app.query,
            headers: headers
        )
        let reply = app.send(head)
        #expect(reply.status == 421 && reply["serverErrorCode"] == "AUTHENTICATION_REQUIRED")
        return String(try #require(reply["redirectURL"]).dropFirst(WebConfiguration().origin.count))
    }

    /// The code in the next mail.
    private func code(_ number: Int) throws -> String {
        let mail = try #require(mails.withLock(when: { $0.count >= number }, until: .never) { $0[number - 1] })
        let line = mail.text.split(separator: "\n").first { $0.hasPrefix("    ") }
        return String(try #require(line)).trimmed
    }

    private func user(_ webAuthToken: String) -> WebReply {
        var client = app
        client.query += "&ckWebAuthToken=" + webAuthToken
        return client.ask("users/current", in: "public", nil)
    }

    private func item(_ name: String, in url: String) -> String? {
        url.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Where the last page leads.
    private func destination(_ browser: Browser) throws -> String {
        let parts = browser.page.text.split(separator: "content=\"0; url=", maxSplits: 1)
        let url = try #require(parts.count > 1 ? parts[1] : nil).prefix { $0 != "\"" }
        return String(url).replacing("&amp;", with: "&")
    }

    /// Mail systems deliver `straẞe` and `strasse` to the same domain, which belongs to somebody else than `straße`.
    @Test(arguments: [
        ("anna@stra\u{1E9E}e.example", "anna@xn--strae-oqa.example"), ("\u{FF21}nna@example.com", "anna@example.com"),
    ])
    func aCodeGoesToTheCanonicalAddress(typed: String, canonical: String) throws {
        let victim = try store.account("Anna", emails: canonical)
        let browser = Browser(app)
        browser.open(try link())
        browser.submit("address", ["email": typed])
        let mailed = try code(1)
        #expect(mails.withLock { $0.map(\.address) } == [canonical])
        // The code signs in to the same account under any spelling.
        browser.submit("code", ["code": mailed])
        browser.submit("consent", ["discoverability": "denied", "wording": browser.hidden("wording") ?? ""])
        #expect(user(item("ckWebAuthToken", in: try destination(browser)) ?? "").status == 200)
        #expect(try store.service.account(email: EmailAddress(typed)).id == victim.id)
    }

    @Test func aNewPersonSignsInAndIsAskedOnce() throws {
        let browser = Browser(app)
        browser.open(try link() + "?state=s-1")
        #expect(browser.page.status == 200 && browser.page.text.contains("<form"))
        #expect(
            browser.page.headers["cache-control"] == "no-store" && browser.page.headers["x-frame-options"] == "DENY"
        )
        browser.submit("address", ["email": "no address"])
        #expect(browser.page.text.contains("role=\"alert\""))
        browser.submit("address", ["email": "ada@example.com"])
        #expect(browser.page.text.contains("ada@example.com"))
        let code = try code(1)
        browser.submit("code", ["code": "0000-0000"])
        #expect(browser.page.text.contains("role=\"alert\""))
        browser.submit("code", ["code": code.lowercased()])
        browser.submit("names", ["given": "Ada", "family": "Example"])
        #expect(browser.page.text.contains("May friends find you by your address?"))
        browser.submit("consent", ["discoverability": "granted", "wording": "7"])
        let url = try destination(browser)
        #expect(url.hasPrefix("https://app.example.com/signed-in?ckWebAuthToken=") && item("state", in: url) == "s-1")
        let token = try #require(item("ckWebAuthToken", in: url))
        #expect(item("ckSession", in: url) == token)
        #expect(user(token)["nameComponents.givenName"] == "Ada")
        // The second time, only the code is asked for.
        let again = Browser(app)
        again.open(try link())
        again.submit("address", ["email": "Ada@Example.com", "keep": "yes"])
        again.submit("code", ["code": try self.code(2)])
        let second = try #require(item("ckWebAuthToken", in: destination(again)))
        #expect(user(second)["userRecordName"] == user(token)["userRecordName"])
        let account = try store.service.account(email: EmailAddress("ada@example.com"))
        #expect(try account.webSessions().map(\.isLasting).contains(true))
        try account.endWebSessions()
        #expect(user(token).status == 421)
    }

    @Test func aWindowGetsTheTokenForOneOriginOnly() throws {
        let browser = Browser(app)
        browser.open(try link([("origin", "https://app.example.com")]))
        browser.submit("address", ["email": "ben@example.com"])
        browser.submit("code", ["code": try code(1)])
        browser.submit("names")
        browser.submit("consent", ["discoverability": "denied", "wording": "7"])
        #expect(browser.page.text.contains("data-origin=\"https://app.example.com\""))
        #expect(browser.page.headers["content-security-policy"]?.contains("script-src 'sha256-") == true)
    }

    @Test func aCodeWithPKCEIsRedeemedOnce() throws {
        let verifier = String(repeating: "v", count: 43)
        let challenge = Base64.text(SHA256.hash(of: Array(verifier.utf8)), urlSafe: true)
        let browser = Browser(app)
        browser.open(
            try link() + "?redirect_uri=https%3A%2F%2Fapp.example.com%2Fsigned-in&code_challenge=\(challenge)"
                + "&code_challenge_method=S256"
        )
        browser.submit("address", ["email": "cleo@example.com"])
        browser.submit("code", ["code": try code(1)])
        browser.submit("names")
        browser.submit("consent", ["discoverability": "denied", "wording": "7"])
        let code = try #require(item("code", in: destination(browser)))
        func redeem(_ verifier: String) -> WebReply {
            app.askKinfolk(
                "token",
                #"{"code": "\#(code)", "code_verifier": "\#(verifier)", "redirect_uri": "https://app.example.com/signed-in"}"#
            )
        }
        let first = redeem(verifier)
        let token = try #require(first["ckWebAuthToken"])
        #expect(user(token.replacing("+", with: "%2B")).status == 200)
        // Somebody else has the code, too: nobody keeps the session.
        #expect(redeem(verifier).status == 401)
        #expect(user(token.replacing("+", with: "%2B")).status == 421)
    }

    @Test func otherBrowsersAndAddressesAreRefused() throws {
        let browser = Browser(app)
        browser.open(try link() + "?redirect_uri=https%3A%2F%2Fevil.example")
        #expect(browser.page.status == 400)
        browser.open(try link() + "?code_challenge=x&code_challenge_method=plain")
        #expect(browser.page.status == 400)
        browser.open("/sign-in/x")
        #expect(browser.page.status == 400)
        browser.open(try link())
        let flow = browser.hidden("flow") ?? ""
        browser.forgetCookie()
        browser.submit("address", ["email": "ada@example.com", "flow": flow])
        #expect(browser.page.status == 403 && mails.withLock(\.isEmpty))
        // A step that has not been reached.
        browser.open(try link())
        browser.submit("names", ["given": "Ada"])
        #expect(browser.page.status == 403)
        browser.submit("consent", ["discoverability": "granted", "wording": "7"])
        #expect(browser.page.status == 403)
    }

    @Test func aKnownAndAnUnknownAddressGetTheSamePage() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        func pages(_ email: String) throws -> [String] {
            let browser = Browser(app)
            browser.open(try link())
            browser.submit("address", ["email": email])
            let first = browser.page.text
            browser.submit("code", ["code": "0000-0000"])
            return [first, browser.page.text].map { page in
                // The state of the sign-in is in forms and links.
                let parts = ["name=\"flow\" value=\"", "flow="].reduce([page[...]]) { parts, mark in
                    parts.flatMap { part in
                        let pieces = part.split(separator: mark, omittingEmptySubsequences: false)
                        return pieces.prefix(1) + pieces.dropFirst().map { $0.drop { !"\"&".contains($0) } }
                    }
                }
                return parts.joined().replacing(email, with: "").replacing(browser.path, with: "")
            }
        }
        #expect(try pages("ada@example.com") == pages("nobody@example.com"))
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
