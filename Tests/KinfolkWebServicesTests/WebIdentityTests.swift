import Kinfolk
import KinfolkCrypto
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Signing in by an OpenID Connect provider, and by a trusted proxy.
@Suite("Web services: identities") struct WebIdentityTests {
    private static let issuer = "https://id.example"
    private static let otherIssuer = "https://other.example/tenants/1"

    /// What the provider says next, and what the service asked it.
    private struct Provider {
        var claims: [String: String] = [:]
        var nonce: String?
        var asked: [WebFetch] = []
        var isAway = false
        /// More members of the metadata.
        var metadata = ""
        var tokenEndpoint = "\(issuer)/token"
    }

    private let store: TestService
    private let mails = Lock<[WebMail]>([])
    private let provider = Lock(Provider())
    private let app: WebClient

    init() throws {
        store = try TestService()
        var configuration = WebConfiguration()
        configuration.sendMail = { [mails] mail in
            mails.withLock { $0.append(mail) }
            return true
        }
        configuration.providers = [
            OpenIDProvider(
                name: "Example ID",
                issuer: WebIdentityTests.issuer,
                clientID: "kinfolk",
                clientSecret: "s:1",
                emailDomains: ["example.com", "stra\u{1E9E}e.example"]
            ),
            OpenIDProvider(name: "Other", issuer: WebIdentityTests.otherIssuer, clientID: "k", clientSecret: nil),
        ]
        configuration.proxySignIn = ProxySignIn(userHeader: "remote-user", emailHeader: "remote-email")
        configuration.fetch = { [provider] fetch in provider.withLock { WebIdentityTests.answer(fetch, &$0) } }
        app = try WebClient(store, for: nil, configuration)
    }

    private static func answer(_ fetch: WebFetch, _ provider: inout Provider) -> [UInt8]? {
        provider.asked.append(fetch)
        guard !provider.isAway else { return nil }
        guard fetch.form != nil else {
            let issuer = fetch.url.hasPrefix(issuer) ? issuer : otherIssuer
            return Array(
                """
                {"issuer": "\(issuer)", "authorization_endpoint": "\(issuer)/authorize?tenant=1", \
                "token_endpoint": "\(provider.tokenEndpoint)"\(provider.metadata)}
                """.utf8
            )
        }
        var claims = ["iss": "\"\(issuer)\"", "aud": "\"kinfolk\"", "sub": "\"s-1\"", "exp": "4102444800"]
        if let nonce = provider.nonce { claims["nonce"] = "\"\(nonce)\"" }
        claims.merge(provider.claims) { $1 }
        let payload = "{" + claims.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
        let token = ["{}", payload, "x"].map { Base64.text(Array($0.utf8), urlSafe: true) }.joined(separator: ".")
        return Array("{\"id_token\": \"\(token)\"}".utf8)
    }

    private func link() throws -> String {
        let head = WebRequest.Head(
            method: "GET",
            path: "/database/1/\(app.container.name)/development/public/users/current",
            query: app.query
        )
        return String(try #require(app.send(head)["redirectURL"]).dropFirst(WebConfiguration().origin.count))
    }

    private func item(_ name: String, in url: String) -> String? {
        url.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Goes to the provider, and comes back with a code.
    private func goToProvider(_ browser: Browser, _ claims: [String: String] = [:], answer: String = "code=c-1") throws
    {
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/0") }))
        #expect(browser.page.status == 303)
        let url = try #require(browser.page.headers["location"])
        #expect(url.hasPrefix("\(WebIdentityTests.issuer)/authorize?tenant=1&response_type=code&client_id=kinfolk&"))
        #expect(
            item("code_challenge_method", in: url) == "S256" && item("scope", in: url) == "openid%20email%20profile"
        )
        provider.withLock { provider in
            provider.nonce = item("nonce", in: url)
            provider.claims = claims
        }
        browser.open("/sign-in/callback/id.example?\(answer)&state=\(try #require(item("state", in: url)))")
    }

    private func newBrowser() throws -> Browser {
        let browser = Browser(app)
        browser.open(try link())
        return browser
    }

    private func code(_ number: Int) throws -> String {
        let mail = try #require(mails.withLock(when: { $0.count >= number }, until: .never) { $0[number - 1] })
        let line = try #require(mail.text.split(separator: "\n").first { $0.hasPrefix("    ") })
        return String(line.drop { $0 == " " })
    }

    private let verified = ["email": "\"ada@example.com\"", "email_verified": "true", "given_name": "\"Ada\""]

    @Test func aNewPersonGetsAnAccountWithTheAddress() throws {
        let browser = try newBrowser()
        try goToProvider(browser, verified)
        #expect(browser.page.text.contains("value=\"Ada\""))
        browser.submit("names", ["given": "Ada", "family": ""])
        #expect(browser.page.text.contains("ckWebAuthToken="))
        let account = try store.service.account(email: EmailAddress("ada@example.com"))
        #expect(try account.identities().map(\.subject) == ["s-1"])
        // The request for the token has the secret and the verifier, and no other way to prove it.
        let form = try #require(provider.withLock { $0.asked.last?.form })
        #expect(form.contains("grant_type=authorization_code") && form.contains("code_verifier="))
        #expect(form.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A8080%2Fsign-in%2Fcallback%2Fid.example&"))
        #expect(provider.withLock { $0.asked.last?.user?.password } == "s%3A1")
        // The second time nothing is asked, whatever the address is now.
        let again = try newBrowser()
        try goToProvider(again)
        #expect(again.page.text.contains("ckWebAuthToken="))
        #expect(mails.withLock(\.isEmpty))
    }

    @Test func aPersonWhoFirstEnteredAnAddressGoesToTheProvider() throws {
        let browser = try newBrowser()
        browser.submit("address", ["email": "ben@example.org"])
        _ = try code(1)
        // "Use another address" shows the first page with the same state.
        browser.open(try #require(browser.links.first { $0.contains("flow=") && !$0.contains("lang=") }))
        try goToProvider(browser, verified)
        browser.submit("names")
        #expect(browser.page.text.contains("ckWebAuthToken="))
    }

    @Test func anExistingAccountIsLinkedAfterASignInToIt() throws {
        let account = try store.account("Ada", emails: "ada@example.com")
        let browser = try newBrowser()
        try goToProvider(browser, verified)
        #expect(!browser.page.text.contains("ckWebAuthToken="))
        #expect(try account.identities().isEmpty)
        browser.submit("code", ["code": try code(1)])
        #expect(browser.page.text.contains("Example ID") && browser.page.text.contains("Ada, ada@example.com"))
        #expect(try account.identities().isEmpty, "not before the person says so")
        browser.submit("link-identity", ["link": "yes"])
        #expect(browser.page.text.contains("ckWebAuthToken="))
        #expect(try account.identities().map(\.subject) == ["s-1"])
        let notice = try #require(mails.withLock(when: { $0.count >= 2 }, until: .never) { $0[1] })
        #expect(
            notice.address == "ada@example.com" && notice.text.contains("Example ID")
                && notice.text.contains("/account")
        )
    }

    /// Somebody leaves a proved identity on a shared computer, and the next person signs in.
    @Test func anIdentityIsLinkedOnlyIfThePersonSaysSo() throws {
        let account = try store.account("Ben", emails: "ben@example.org")
        let browser = try newBrowser()
        try goToProvider(browser)
        browser.submit("address", ["email": "ben@example.org"])
        let mailed = try code(1)
        browser.submit("link-identity", ["link": "yes"])
        #expect(browser.page.status == 403, "nobody has signed in yet")
        let other = try newBrowser()
        try goToProvider(other)
        other.submit("address", ["email": "ben@"])
        other.submit("address", ["email": "ben@example.org"])
        other.submit("code", ["code": try code(2)])
        #expect(other.page.text.contains("value=\"link-identity\""))
        other.submit("names")
        #expect(other.page.text.contains("value=\"link-identity\""), "no other form goes on without an answer")
        other.submit("link-identity", ["link": "maybe"])
        #expect(other.page.status == 403)
        #expect(try account.identities().isEmpty && mailed != "")
        let third = try newBrowser()
        try goToProvider(third)
        third.submit("address", ["email": "ben@example.org"])
        third.submit("code", ["code": try code(3)])
        third.submit("link-identity", ["link": "no"])
        #expect(third.page.text.contains("ckWebAuthToken="))
        #expect(try account.identities().isEmpty && mails.withLock(\.count) == 3)
    }

    /// Somebody uses the page of an account that another person has left open, long after the sign-in.
    @Test func anIdentityIsNotLinkedToWhoeverHasSignedInBefore() throws {
        let account = try store.account("Ada", emails: "ada@example.com")
        let browser = Browser(app)
        browser.open("/account")
        browser.submit("address", ["email": "ada@example.com"])
        browser.submit("code", ["code": try code(1)])
        #expect(browser.page.text.contains("ada@example.com"))
        browser.open("/sign-in/with/0?flow=\(try #require(browser.hidden("flow")))")
        let url = try #require(browser.page.headers["location"])
        provider.withLock { $0.nonce = item("nonce", in: url) }
        browser.open("/sign-in/callback/id.example?code=c-1&state=\(try #require(item("state", in: url)))")
        #expect(browser.page.text.contains("name=\"email\""))
        browser.submit("link-identity", ["link": "yes"])
        #expect(browser.page.status == 403)
        #expect(try account.identities().isEmpty)
    }

    @Test func anotherPersonDoesNotGetAnIdentityThatWasLeft() throws {
        let account = try store.account("Ben", emails: "ben@example.org")
        let late = try newBrowser()
        try goToProvider(late)
        store.clock.advance(seconds: 601)
        late.submit("address", ["email": "ben@example.org"])
        #expect(late.page.status == 403, "the identity must be proved again")
        // The address of one person, and then of another.
        _ = try store.account("Ada", emails: "ada@example.com")
        let browser = try newBrowser()
        try goToProvider(browser, verified)
        let form = browser.page
        browser.open(try #require(browser.links.first { $0.contains("flow=") && !$0.contains("lang=") }))
        browser.submit("address", ["email": "ben@example.org"])
        browser.submit("code", ["code": try code(2)])
        #expect(browser.page.text.contains("ckWebAuthToken="), "nothing is asked")
        browser.page = form
        browser.submit("address", ["email": "ben@example.org"])
        browser.submit("code", ["code": try code(3)])
        #expect(browser.page.text.contains("ckWebAuthToken="))
        #expect(try account.identities().isEmpty)
    }

    @Test func aWordThatDoesNotCountIsNoProof() throws {
        for claims in [
            ["email": "\"ada@example.com\""], ["email": "\"ada@example.com\"", "email_verified": "false"],
            ["email": "\"ada@evil.example\"", "email_verified": "true"],
            ["email": "\"ada@example.com@evil.example\"", "email_verified": "true"],
            // The provider's own mail may have gone to strasse.example.
            ["email": "\"ada@stra\u{1E9E}e.example\"", "email_verified": "true"],
        ] {
            let browser = try newBrowser()
            try goToProvider(browser, claims)
            #expect(browser.page.text.contains("name=\"email\"") && !browser.page.text.contains("Example ID"))
        }
        let browser = try newBrowser()
        try goToProvider(browser)
        browser.submit("address", ["email": "ben@example.org"])
        browser.submit("code", ["code": try code(1)])
        browser.submit("link-identity", ["link": "yes"])
        browser.submit("names")
        #expect(browser.page.text.contains("ckWebAuthToken="))
        let account = try store.service.account(email: EmailAddress("ben@example.org"))
        #expect(try account.identities().map(\.issuer) == [WebIdentityTests.issuer])
    }

    @Test(
        arguments: Search.some([
            ["nonce": "\"other\""], ["iss": "\"https://evil.example\""], ["aud": "\"other\""],
            ["aud": "[\"kinfolk\", \"other\"]"],
            ["azp": "\"other\""], ["exp": "1"], ["exp": "\"4102444800\""], ["sub": "\"\""], ["sub": "5"],
        ])
    )
    func aTokenThatIsNotForThisSignInIsRefused(_ claims: [String: String]) throws {
        let browser = try newBrowser()
        try goToProvider(browser, claims)
        #expect(browser.page.status == 403 && browser.page.text.contains("Example ID"))
        #expect(throws: KinfolkError.self) {
            try store.service.account(issuer: WebIdentityTests.issuer, subject: "s-1")
        }
    }

    @Test func otherAnswersOfTheProvider() throws {
        let browser = try newBrowser()
        try goToProvider(browser, answer: "error=access_denied")
        #expect(browser.page.status == 200 && browser.page.text.contains("name=\"email\""))
        let other = try newBrowser()
        try goToProvider(other, answer: "error=server_error")
        #expect(other.page.status == 403)
        let foreign = try newBrowser()
        try goToProvider(foreign, answer: "code=c-1&iss=https%3A%2F%2Fevil.example")
        #expect(foreign.page.status == 403)
    }

    /// A provider sends the browser, with the state of its own sign-in, to another provider, whose code it wants to get.
    @Test func anAnswerOfOneProviderIsNotTakenForAnother() throws {
        let browser = try newBrowser()
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/1") }))
        let url = try #require(browser.page.headers["location"])
        #expect(item("redirect_uri", in: url)?.hasSuffix("%2Fsign-in%2Fcallback%2Fother.example~tenants~1") == true)
        let state = try #require(item("state", in: url))
        for path in ["callback/id.example", "callback/other.example~tenants~2", "callback/", "callback"] {
            browser.open("/sign-in/\(path)?code=c-1&state=\(state)")
            #expect([400, 403].contains(browser.page.status))
        }
        #expect(provider.withLock { $0.asked.allSatisfy { $0.form == nil } }, "no code was sent to the other provider")
    }

    @Test func anAnswerWithoutTheIssuerIsRefusedIfTheProviderNamesIt() throws {
        provider.withLock { $0.metadata = ", \"authorization_response_iss_parameter_supported\": true" }
        let browser = try newBrowser()
        try goToProvider(browser, verified)
        #expect(browser.page.status == 403)
        #expect(provider.withLock { $0.asked.allSatisfy { $0.form == nil } })
        let other = try newBrowser()
        try goToProvider(other, verified, answer: "code=c-1&iss=https%3A%2F%2Fid.example")
        #expect(other.page.text.contains("value=\"Ada\""))
    }

    @Test(arguments: [
        "http://127.0.0.1:9/token", "http://localhost/token", "https://[::1]/token", "http://id.example/token",
    ])
    func anEndpointOnThisMachineIsNotThatOfAProviderElsewhere(_ endpoint: String) throws {
        provider.withLock { $0.tokenEndpoint = endpoint }
        let browser = try newBrowser()
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/0") }))
        #expect(browser.page.status == 403 && browser.page.text.contains("Example ID"))
    }

    @Test func anAnswerIsForTheBrowserThatAsked() throws {
        let browser = try newBrowser()
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/0") }))
        let state = try #require(item("state", in: browser.page.headers["location"] ?? ""))
        let victim = try newBrowser()
        victim.open("/sign-in/callback/id.example?code=c-1&state=\(state)")
        #expect(victim.page.status == 403)
        browser.open("/sign-in/callback/id.example?code=c-1&state=x")
        #expect(browser.page.status == 403)
        #expect(provider.withLock { $0.asked.allSatisfy { $0.form == nil } })
    }

    @Test func aProviderThatIsAwayIsReported() throws {
        provider.withLock { $0.isAway = true }
        let browser = try newBrowser()
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/0") }))
        #expect(browser.page.status == 403 && browser.page.text.contains("Example ID"))
        browser.open("/sign-in/with/7?flow=x")
        #expect(browser.page.status == 403)
    }

    // MARK: Proxies

    @Test func aProxySignsPeopleIn() throws {
        let browser = Browser(app)
        browser.headers = [("remote-user", "ada"), ("remote-email", "ada@example.org")]
        browser.isProxied = true
        browser.open(try link())
        #expect(browser.page.text.contains("Continue as"))
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/proxy") }))
        browser.submit("names")
        #expect(browser.page.text.contains("ckWebAuthToken="))
        let account = try store.service.account(email: EmailAddress("ada@example.org"))
        #expect(try account.identities().map(\.subject) == ["ada"])
        // The page of the account shows the identity, and keeps the last way to sign in.
        browser.open("/account")
        browser.open(try #require(browser.links.first { $0.hasPrefix("/sign-in/with/proxy") }))
        #expect(browser.page.text.contains("Other ways to sign in"))
        browser.submit("remove-identity", ["identity": browser.hidden("identity") ?? ""])
        #expect(try account.identities().isEmpty && browser.page.text.contains("was removed"))
    }

    @Test func nobodyElseNamesAPerson() throws {
        let browser = Browser(app)
        browser.headers = [("remote-user", "ada")]
        browser.open(try link())
        #expect(!browser.page.text.contains("Continue as"))
        let flow = try #require(browser.hidden("flow"))
        browser.open("/sign-in/with/proxy?flow=\(flow)")
        #expect(browser.page.status == 403)
        // A client has sent one of them.
        browser.isProxied = true
        browser.headers = [("remote-user", "ada"), ("remote-user", "ben")]
        browser.open("/sign-in/with/proxy?flow=\(flow)")
        #expect(browser.page.status == 403)
    }
}
