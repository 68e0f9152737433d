import Kinfolk
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Managing the account in a browser.
@Suite("Web services: account pages") struct WebAccountTests {
    private let store: TestService
    private let mails = Lock<[WebMail]>([])
    private let app: WebClient
    private let account: Account

    init() throws {
        store = try TestService()
        account = try store.account("Ada", emails: "ada@example.com")
        var configuration = WebConfiguration()
        configuration.sendMail = { [mails] mail in
            mails.withLock { $0.append(mail) }
            return true
        }
        configuration.wordings = [
            store.container.name: ConsentWordings(ConsentWording("May friends find you?", version: "7"))
        ]
        app = try WebClient(store, for: "ada@example.com", configuration)
        _ = try store.container.session(for: account)
    }

    private func code(_ number: Int) throws -> String {
        let mail = try #require(mails.withLock(when: { $0.count >= number }, until: .never) { $0[number - 1] })
        let line = try #require(mail.text.split(separator: "\n").first { $0.hasPrefix("    ") })
        return String(line.drop { $0 == " " })
    }

    private func signedIn() throws -> Browser {
        let browser = Browser(app)
        let count = mails.withLock(\.count)
        browser.open("/account")
        browser.submit("address", ["email": "ada@example.com"])
        browser.submit("code", ["code": try code(count + 1)])
        #expect(browser.page.text.contains("ada@example.com"))
        return browser
    }

    @Test func aPersonSeesAndChangesTheAccount() throws {
        let browser = try signedIn()
        #expect(browser.page.text.contains(store.container.name))
        browser.submit("ask-consent", ["container": store.container.name])
        #expect(browser.page.text.contains("May friends find you?"))
        browser.submit("consent", ["discoverability": "granted", "wording": "6"])
        #expect(browser.page.status == 403)
        browser.open("/account?flow=x")
        #expect(browser.page.text.contains("name=\"email\""))
        let again = try signedIn()
        again.submit("ask-consent", ["container": store.container.name])
        again.submit("consent", ["discoverability": "granted", "wording": "7"])
        #expect(try store.container.session(for: account).discoverability() == .granted)
        again.submit("hide", ["container": store.container.name])
        #expect(try store.container.session(for: account).discoverability() == .denied)
        let count = mails.withLock(\.count)
        again.submit("add-address", ["email": "ada@EXAMPLE.org"])
        again.submit("code", ["code": try code(count + 1)])
        #expect(mails.withLock { $0.last?.address } == "ada@example.org", "not the text that was typed")
        #expect(try account.emails().filter(\.isVerified).count == 2)
        #expect(again.page.text.contains("remove-address"))
        again.submit("remove-address", ["email": "ada@example.org"])
        #expect(try account.emails().count == 2)
        again.submit("remove-address", ["email": "ada@example.org", "confirmed": "yes"])
        #expect(try account.emails().count == 1)
        // The last one stays.
        #expect(!again.page.text.contains("remove-address"))
        again.submit("remove-address", ["email": "ada@example.com", "confirmed": "yes"])
        #expect(try account.emails().map(\.spelling) == ["ada@example.com"])
        #expect(app.ask("users/current", in: "public", nil).status == 200)
        again.submit("sign-out-everywhere", ["confirmed": "yes"])
        #expect(app.ask("users/current", in: "public", nil).status == 421)
    }

    @Test func aPersonRefusesATakeover() throws {
        let thief = try store.account("Mallory")
        try thief.addEmail("ada@example.com")
        let claim = try #require(try store.prove(thief, EmailAddress("ada@example.com")).claim)
        let browser = try signedIn()
        #expect(browser.page.text.contains(claim.id.description))
        browser.submit("refuse-claim", ["claim": claim.id.description])
        let count = mails.withLock(\.count)
        browser.submit("refuse-claim", ["claim": claim.id.description, "confirmed": "yes"])
        browser.submit("code", ["code": try code(count + 1)])
        #expect(try account.claims().first?.state == .refused)
        // Nobody refuses a claim on the address of somebody else.
        browser.submit("refuse-claim", ["claim": String(repeating: "0", count: 32), "confirmed": "yes"])
        #expect(browser.page.status == 403)
    }

    @Test func aCodeChangesNothingLongAfterTheSignIn() throws {
        let browser = try signedIn()
        let count = mails.withLock(\.count)
        store.clock.advance(seconds: 300)
        browser.submit("add-address", ["email": "ada@example.org"])
        let mailed = try code(count + 1)
        store.clock.advance(seconds: 301)
        browser.submit("code", ["code": mailed])
        #expect(try account.emails().filter(\.isVerified).count == 1)
        #expect(browser.page.status == 200 && !browser.page.text.contains("name=\"code\""), "the person signs in again")
    }

    @Test func codesOfAllPagesAreCountedTogether() throws {
        let browser = try signedIn()
        let count = mails.withLock(\.count)
        browser.submit("add-address", ["email": "ada@example.org"])
        _ = try code(count + 1)
        let page = browser.page
        var tries = 1
        while tries < 100 {
            browser.page = page
            browser.submit("code", ["code": "0000-0000"])
            if browser.page.status == 429 { break }
            tries += 1
        }
        #expect(tries == Int(RequestLimits().tries.burst))
    }

    @Test func signingOutOfAnApplicationLeavesOthersAlone() throws {
        let browser = try signedIn()
        let here = try account.beginSignIn(to: app.container, until: store.clock.now.adding(seconds: 60))
        let elsewhere = try account.beginSignIn(to: store.container, until: store.clock.now.adding(seconds: 60))
        #expect(app.askKinfolk("sign-out", #"{"everywhere": true}"#).status == 200)
        #expect(app.ask("users/current", in: "public", nil).status == 421)
        #expect(try !account.isSignedIn(here) && account.isSignedIn(elsewhere))
        browser.submit("ask-consent", ["container": store.container.name])
        #expect(browser.page.text.contains("May friends find you?"), "the page of the account is still open")
    }

    @Test func exportAndErasureNeedARecentSignIn() throws {
        let browser = try signedIn()
        let export = browser.page.text.split(separator: "href=\"").map { $0.prefix { $0 != "\"" } }.first {
            $0.contains("show=export")
        }
        let url = String(try #require(export)).replacing("&amp;", with: "&")
        store.clock.advance(seconds: 601)
        browser.open(url)
        #expect(!browser.page.text.contains("value=\"export\""))
        let again = try signedIn()
        again.submit("export")
        #expect(again.page.headers["content-disposition"]?.contains("export.json") == true)
        #expect(again.page.text.contains("ada@example.com"))
        let eraser = try signedIn()
        eraser.submit("erase", ["word": "no"])
        #expect(try store.service.account(account.id).id == account.id)
        eraser.submit("erase", ["word": "erase"])
        expect(.unknownItem) { try store.service.account(account.id).name() }
    }
}
