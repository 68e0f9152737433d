import Kinfolk
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import KinfolkWebServices

/// What the service does without a request, and how sign-ins end.
@Suite("Web services: sign-ins that end") struct WebHousekeepingTests {
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
        app = try WebClient(store, for: nil, configuration)
    }

    private func code(_ number: Int) throws -> String {
        let mail = try #require(mails.withLock(when: { $0.count >= number }, until: .never) { $0[number - 1] })
        let line = try #require(mail.text.split(separator: "\n").first { $0.hasPrefix("    ") })
        return String(line.drop { $0 == " " })
    }

    @Test func anAddressThatNobodyProvedHasNoAccount() throws {
        for _ in 0..<3 {
            let browser = Browser(app)
            browser.open("/account")
            browser.submit("address", ["email": "ada@example.com"])
        }
        _ = try code(3)
        #expect(try store.service.accounts().isEmpty)
        // The row is written before the mail is sent.
        #expect(try store.number("SELECT count(*) FROM pending_sign_ins") == 3)
        #expect(try store.service.check().isSound)
        store.clock.advance(seconds: 3_601)
        // The work that a change causes.
        _ = try store.account("Ben")
        #expect(try store.number("SELECT count(*) FROM pending_sign_ins") == 0)
    }

    @Test func aCodeOfANewAddressHasFiveTriesAndTenMinutes() throws {
        func asked() throws -> (Browser, code: String) {
            let count = mails.withLock(\.count)
            let browser = Browser(app)
            browser.open("/account")
            browser.submit("address", ["email": "ada@example.com"])
            return (browser, try code(count + 1))
        }
        let (first, tried) = try asked()
        for _ in 0..<5 { first.submit("code", ["code": tried == "0000-0000" ? "0000-0001" : "0000-0000"]) }
        first.submit("code", ["code": tried])
        #expect(first.page.text.contains("role=\"alert\""))
        let (late, old) = try asked()
        store.clock.advance(seconds: 601)
        late.submit("code", ["code": old])
        #expect(late.page.text.contains("role=\"alert\""))
        // Another browser has proved the address meanwhile.
        let (slow, both) = (try asked(), try asked())
        both.0.submit("code", ["code": both.code])
        #expect(try store.number("SELECT count(*) FROM accounts") == 1)
        slow.0.submit("code", ["code": slow.code])
        #expect(slow.0.page.text.contains("role=\"alert\""))
        #expect(try store.number("SELECT count(*) FROM accounts") == 1)
    }

    @Test func anAccountHasALimitedNumberOfSignIns() throws {
        let (ada, end) = (try store.account("Ada"), store.clock.now.adding(seconds: 600))
        let browser = RandomID.make()
        try store.service.write { db in try ada.expectCode(from: browser, until: end, db) }
        var signIns: [RandomID] = []
        for number in 0..<150 { signIns.append(try ada.beginSignIn(until: end.adding(seconds: Double(number)))) }
        #expect(try signIns.map { try ada.isSignedIn($0) } == (0..<150).map { $0 >= 50 })
        #expect(try ada.expectsCode(from: browser))
        #expect(try store.number("SELECT count(*) FROM sign_ins") == 101)
    }

    @Test func aRestoreEndsSignIns() throws {
        let ada = try store.account("Ada", emails: "ada@example.com")
        let signIn = try ada.beginSignIn(until: store.clock.now.adding(seconds: 600))
        let browser = Browser(app)
        browser.open("/account")
        browser.submit("address", ["email": "ben@example.com"])
        let mailed = try code(1)
        try store.service.write { db in try AccessRestore.run(at: store.clock.now, db) }
        #expect(try !ada.isSignedIn(signIn))
        browser.submit("code", ["code": mailed])
        #expect(try store.service.accounts().map(\.id) == [ada.id])
    }

    @Test func thePageOfAnAccountEndsWithSigningOutAndSuspension() throws {
        let ada = try store.account("Ada", emails: "ada@example.com")
        var count = 0
        func signedIn() throws -> Browser {
            let browser = Browser(app)
            browser.open("/account")
            browser.submit("address", ["email": "ada@example.com"])
            count += 1
            browser.submit("code", ["code": try code(count)])
            #expect(browser.page.text.contains("Sign out"))
            return browser
        }
        for end in ["sign-out", "sign-out-everywhere"] {
            let browser = try signedIn()
            let flow = try #require(browser.hidden("flow"))
            browser.submit(end, ["confirmed": "yes"])
            browser.open("/account?flow=\(flow)")
            #expect(!browser.page.text.contains("ada@example.com"))
        }
        let browser = try signedIn()
        try ada.suspend()
        browser.submit("erase", ["word": "erase"])
        #expect(browser.page.status == 403)
        #expect(try store.number("SELECT count(*) FROM accounts") == 1)
    }

    @Test func aFormIsSentAgainWithAnotherAddress() throws {
        let browser = Browser(app)
        browser.open("/account")
        let flow = try #require(browser.hidden("flow"))
        for (number, email) in ["ada@example.com", "ben@example.com"].enumerated() {
            browser.submit("address", ["email": email, "flow": flow])
            let code = try code(number + 1)
            browser.submit("code", ["code": code])
            browser.submit("names")
            #expect(browser.page.text.contains(email))
        }
    }

    @Test func aCodeIsForTheBrowserThatAskedForIt() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        let (thief, ada) = (Browser(app), Browser(app))
        for (number, browser) in [thief, ada].enumerated() {
            browser.open("/account")
            browser.submit("address", ["email": "ada@example.com"])
            _ = try code(number + 1)
        }
        let code = try code(2)
        thief.submit("code", ["code": code])
        #expect(thief.page.text.contains("role=\"alert\""))
        for _ in 0..<6 { thief.submit("code", ["code": "0000-0000"]) }
        // The tries of the other browser were not used up.
        ada.submit("code", ["code": code])
        #expect(ada.page.text.contains("Sign out"))
    }

    @Test func ownersAreToldOfClaims() throws {
        let ada = try store.account("Ada", emails: "Ada@Example.com")
        let eve = try store.account("Eve", emails: "eve@example.com")
        let browser = Browser(app)
        browser.open("/account")
        browser.submit("address", ["email": "eve@example.com"])
        browser.submit("code", ["code": try code(1)])
        browser.submit("add-address", ["email": "ada@example.com"])
        browser.submit("code", ["code": try code(2)])
        #expect(browser.page.text.contains("Another account has this address"))
        let notice = try #require(mails.withLock(when: { $0.count >= 3 }, until: .never) { $0[2] })
        #expect(notice.address == "ada@example.com" && notice.text.contains("/account"))
        #expect(try eventually { try ada.claims().map(\.state) == [.waiting] })
        #expect(try eve.claims().count == 1)
    }
}
