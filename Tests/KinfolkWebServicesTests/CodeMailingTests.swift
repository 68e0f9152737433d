import Kinfolk
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import KinfolkWebServices

/// Mailings of codes run after their pages were answered. So mailings of one browser can run at the same time, and in any order.
@Suite("Web services: mailings that overtake each other") struct CodeMailingTests {
    private static let address = "ada@example.com"

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

    private func mailing(for newAccount: AccountID, isFirst: Bool = true, pass: String = "") throws -> CodeMailing {
        CodeMailing(
            services: app.services,
            email: try EmailAddress(CodeMailingTests.address),
            newAccount: newAccount,
            isFirst: isFirst,
            pass: pass,
            application: "Notes",
            language: .english
        )
    }

    /// The code and the pass of each mail, which is forgotten.
    private func takeMails() -> [(code: String, pass: String)] {
        let texts = mails.withLock { mails in
            defer { mails = [] }
            return mails.map(\.text)
        }
        return texts.compactMap { text in
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map {
                String($0.drop { $0 == " " })
            }
            return lines.count == 2 ? (lines[0], lines[1]) : nil
        }
    }

    /// Others use up the mails of the address. The pass of the last mail.
    private func useUpMails() throws -> String {
        var pass = ""
        for _ in 0..<5 {
            try mailing(for: AccountID(.make())).run()
            pass = try #require(takeMails().first).pass
        }
        try mailing(for: AccountID(.make())).run()
        #expect(takeMails().isEmpty)
        return pass
    }

    private func proves(_ code: String, _ id: AccountID) throws -> Bool {
        let email = try EmailAddress(CodeMailingTests.address)
        do {
            _ = try store.service.completePendingSignIn(id, email, spelling: CodeMailingTests.address, code: code)
            return true
        } catch { return false }
    }

    @Test func aRequestWithAPassThatOvertakesTheFirstOneIsValid() throws {
        let pass = try useUpMails()
        let id = AccountID(.make())
        let first = try mailing(for: id)
        try mailing(for: id, isFirst: false, pass: pass).run()
        let code = try #require(takeMails().first).code
        first.run()
        #expect(takeMails().isEmpty)
        #expect(try proves(code, id))
    }

    @Test func twoRequestsAtTheSameTimeSendAMail() throws {
        var pass = try useUpMails()
        for _ in 0..<(Search.isLong ? 300 : 30) {
            let id = AccountID(.make())
            let both = [try mailing(for: id), try mailing(for: id, isFirst: false, pass: pass)]
            try onThreads(2) { number in both[number].run() }
            let mail = try #require(takeMails().first)
            pass = mail.pass
            #expect(try proves(mail.code, id))
            _ = try store.service.account(id).erase()
        }
    }

    @Test func nothingStaysOfARequestWithoutAMail() throws {
        _ = try useUpMails()
        try onThreads(8) { _ in try mailing(for: AccountID(.make())).run() }
        #expect(try store.number("SELECT count(*) FROM accounts") == 0)
        // Those of the mails that were sent.
        #expect(try store.number("SELECT count(*) FROM pending_sign_ins") == 5)
        #expect(takeMails().isEmpty)
    }
}
