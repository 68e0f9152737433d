import Foundation
import Kinfolk
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@Suite struct VerificationTests {
    private let store: TestService
    private let account: Account
    private let ada: EmailAddress

    init() throws {
        store = try TestService()
        account = try store.service.createAccount()
        ada = try EmailAddress("ada@example.com")
        try account.addEmail("ada@example.com")
    }

    @Test func passesDoNotMakeTheListOfAnAccountLonger() throws {
        var mail = try store.mail(account, ada)
        for _ in 0..<40 { mail = try store.mail(account, ada, pass: mail.pass) }
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 20)
        // They count as before.
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com")
        expect(.requestRateLimited) { try account.requestVerification(of: grace) }
        #expect(try account.verifyEmail(ada, code: mail.code) == .verified)
    }

    private func isVerified() throws -> Bool { try account.emails().first?.isVerified == true }

    private func wrong(_ code: String) -> String { code == "0000-0000" ? "0000-0001" : "0000-0000" }

    /// Another account that has the address, unverified.
    private func stranger() throws -> Account {
        let stranger = try store.service.createAccount()
        try stranger.addEmail("ada@example.com")
        return stranger
    }

    /// Uses up the mails of the address, with accounts that are erased immediately.
    private func useUp() throws {
        for _ in 0..<5 {
            let other = try stranger()
            _ = try other.requestVerification(of: ada)
            _ = try other.erase()
        }
    }

    @Test func theCodeVerifiesTheAddress() throws {
        let mail = try store.mail(account, ada)
        #expect(mail.code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/) != nil)
        #expect(mail.pass.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}/) != nil)
        store.clock.advance(seconds: 30)
        #expect(try account.verifyEmail(ada, code: mail.code) == .verified)
        #expect(try account.emails().map(\.verifiedAt) == [store.clock.now])
        #expect(try store.service.account(email: ada).id == account.id)
    }

    @Test func aCodeMayBeTypedWithSpacesOrHyphens() throws {
        let code = try store.mail(account, ada).code
        let typed =
            " " + code.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
        #expect(try account.verifyEmail(ada, code: typed) == .verified)
    }

    @Test func aCodeWorksOnceOnly() throws {
        let code = try store.mail(account, ada).code
        _ = try account.verifyEmail(ada, code: code)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
        expect(.conflict) { try account.requestVerification(of: ada) }
    }

    @Test func aCodeIsValidForTenMinutes() throws {
        let code = try store.mail(account, ada).code
        store.clock.advance(seconds: 600)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
        let second = try store.mail(account, ada).code
        store.clock.advance(seconds: 599.999)
        _ = try account.verifyEmail(ada, code: second)
        #expect(try isVerified())
    }

    @Test func aCodeMayBeTriedFiveTimes() throws {
        let code = try store.mail(account, ada).code
        for _ in 0..<4 { expect(.permissionFailure) { try account.verifyEmail(ada, code: wrong(code)) } }
        _ = try account.verifyEmail(ada, code: code)
        #expect(try isVerified())
    }

    @Test func afterFiveWrongTriesTheRightCodeIsInvalid() throws {
        let code = try store.mail(account, ada).code
        for _ in 0..<5 { expect(.permissionFailure) { try account.verifyEmail(ada, code: wrong(code)) } }
        expect(.limitExceeded) { try account.verifyEmail(ada, code: code) }
        #expect(try !isVerified())
        _ = try account.verifyEmail(ada, code: store.mail(account, ada).code)
        #expect(try isVerified())
    }

    @Test(
        arguments: Search.some([
            "", "1", "12345", "1234567890", "１２３４５６７８", "uuuuuuuu", String(repeating: "1", count: 100_000), "\u{0}",
        ])
    )
    func malformedCodesAreWrongCodes(code: String) throws {
        _ = try store.mail(account, ada)
        expect(.permissionFailure) { try account.verifyEmail(ada, code: code) }
    }

    // MARK: Purposes

    @Test func aCodeWorksForItsPurposeOnly() throws {
        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com", verified: true)
        let signIn = try store.mail(account, grace, for: .signIn).code
        expect(.unknownItem) { try account.verifyEmail(grace, code: signIn) }
        expect(.unknownItem) { try account.refuseClaims(on: grace, code: signIn) }
        try account.confirmSignIn(grace, code: signIn)
        expect(.unknownItem) { try account.confirmSignIn(grace, code: signIn) }

        let adding = try store.mail(account, ada).code
        expect(.unknownItem) { try account.confirmSignIn(ada, code: adding) }
        #expect(try account.verifyEmail(ada, code: adding) == .verified)
    }

    @Test func codesForTwoPurposesAreValidAtTheSameTime() throws {
        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com", verified: true)
        let other = try store.service.createAccount()
        try other.addEmail("grace@example.com")
        try store.prove(other, grace)
        let signIn = try store.mail(account, grace, for: .signIn).code
        let refusal = try store.mail(account, grace, for: .refuseClaim).code
        expect(.permissionFailure) { try account.confirmSignIn(grace, code: refusal) }
        try account.confirmSignIn(grace, code: signIn)
        #expect(try account.refuseClaims(on: grace, code: refusal).map(\.state) == [.refused])
    }

    @Test func signInNeedsAVerifiedAddress() throws {
        expect(.conflict) { try account.requestVerification(of: ada, for: .signIn) }
        try account.addEmail("ada@example.com", verified: true)
        let code = try store.mail(account, ada, for: .signIn).code
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        expect(.unknownItem) { try account.confirmSignIn(ada, code: code) }
    }

    // MARK: Requests of the account itself

    @Test func anAccountRequestsFiveCodesADayForAnAddress() throws {
        for _ in 0..<5 {
            _ = try store.mail(account, ada)
            store.clock.advance(seconds: 60)
        }
        let error = expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        #expect(error?.retryAfter == 86_100)
        store.clock.advance(seconds: 86_400 - 300)
        _ = try store.mail(account, ada)
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
    }

    @Test func anAccountRequestsTwentyCodesADayInAll() throws {
        for number in 0..<20 {
            try account.addEmail("a\(number)@example.com")
            _ = try store.mail(account, EmailAddress("a\(number)@example.com"))
        }
        let error = expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        #expect(error?.retryAfter == 86_400)
        try account.removeEmail(EmailAddress("a3@example.com"))
        _ = try store.service.rotateKeys()
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        store.clock.advance(seconds: 86_401)
        _ = try store.mail(account, ada)
    }

    @Test func anAccountsLimitDependsOnlyOnItsOwnRequests() throws {
        try useUp()
        for _ in 0..<5 { #expect(try account.requestVerification(of: ada) == nil) }
        let error = expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        #expect(error?.retryAfter == 86_400)
    }

    @Test func removingAndAddingTheAddressGivesNoMoreCodes() throws {
        for _ in 0..<5 { _ = try store.mail(account, ada) }
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
    }

    // MARK: Mails to an address

    @Test func mailsAreCountedByTheAddressAcrossAccountsErasuresAndRotations() throws {
        var mails = 0
        for round in 0..<12 {
            let other = try stranger()
            for _ in 0..<3 where try other.requestVerification(of: ada) != nil { mails += 1 }
            _ = try other.erase()
            if round % 4 == 3 { _ = try store.service.rotateKeys() }
            store.clock.advance(seconds: 3_600)
        }
        #expect(mails == 5)
        store.clock.advance(seconds: 86_400 - 12 * 3_600 + 1)
        _ = try store.mail(stranger(), ada)
    }

    @Test func mailsForAllPurposesCount() throws {
        try account.addEmail("ada@example.com", verified: true)
        for _ in 0..<3 { _ = try store.mail(account, ada, for: .signIn) }
        let other = try stranger()
        for _ in 0..<2 { _ = try store.mail(other, ada) }
        #expect(try other.requestVerification(of: ada) == nil)
        #expect(try account.requestVerification(of: ada, for: .signIn) == nil)
    }

    @Test func withoutAMailEveryCodeIsAnsweredLikeAWrongOne() throws {
        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com")
        try useUp()
        #expect(try account.requestVerification(of: ada) == nil)
        _ = try store.mail(account, grace)
        for (email, code) in [(ada, "0000-0000"), (grace, "0000-0000")] {
            for _ in 0..<5 {
                let error = expect(.permissionFailure) { try account.verifyEmail(email, code: code) }
                #expect(error?.reason == "The code is wrong.")
            }
            expect(.limitExceeded) { try account.verifyEmail(email, code: code) }
        }
    }

    @Test func withAndWithoutAMailTheSameStatementsRun() throws {
        let grace = try EmailAddress("grace@example.com")
        _ = try store.account("Grace", emails: "grace@example.com")
        let (first, second) = (try store.service.createAccount(), try store.service.createAccount())
        for account in [first, second] {
            try account.addEmail("ada@example.com")
            try account.addEmail("grace@example.com")
        }
        try useUp()
        func work(_ account: Account, _ email: EmailAddress) throws -> [WorkDone] {
            let (mail, work) = try store.service.tracing { try account.requestVerification(of: email) }
            #expect((mail == nil) == (email == ada))
            return work
        }
        // One call before, so that all statements are prepared.
        _ = try work(first, grace)
        _ = try work(first, ada)
        #expect(try work(second, ada).map(\.sql) == work(second, grace).map(\.sql))
        for email in [ada, grace] { expect(.permissionFailure) { try second.verifyEmail(email, code: "0") } }
        func tried(_ email: EmailAddress) -> [String] {
            store.service.tracing {
                expect(.permissionFailure) { try second.verifyEmail(email, code: "0") }
            }.1.map(\.sql)
        }
        #expect(tried(ada) == tried(grace))
    }

    @Test func nobodyKnowsTheCodeOfARequestWithoutAMail() throws {
        try useUp()
        #expect(try account.requestVerification(of: ada) == nil)
        let tags = try store.service.read { db in
            try db.all("SELECT code_tag FROM verification_codes") { $0.bytes(0) }
        }
        #expect(tags.count == 1 && tags[0].count == 16)
    }

    // MARK: Passes

    @Test func aPassAllowsAMailAboveTheLimitOfTheAddress() throws {
        let pass = try store.mail(stranger(), ada).pass
        try useUp()
        #expect(try account.requestVerification(of: ada) == nil)
        let mail = try store.mail(account, ada, pass: pass.lowercased())
        #expect(try account.verifyEmail(ada, code: mail.code) == .verified)
        // A pass is valid for any purpose, but only once.
        #expect(try account.requestVerification(of: ada, for: .signIn, pass: pass) == nil)
        let signIn = try store.mail(account, ada, for: .signIn, pass: mail.pass)
        try account.confirmSignIn(ada, code: signIn.code)
    }

    @Test func aPassSurvivesTheErasureOfItsAccountAndAKeyRotation() throws {
        let other = try stranger()
        var passes: [String] = []
        for _ in 0..<5 { passes.append(try store.mail(other, ada).pass) }
        _ = try other.erase()
        _ = try store.service.rotateKeys()
        #expect(try account.requestVerification(of: ada) == nil)
        for pass in passes { _ = try store.mail(account, ada, pass: pass) }
        for pass in passes { #expect(try stranger().requestVerification(of: ada, pass: pass) == nil) }
    }

    @Test func aPassLiftsTheLimitOfItsAccountToo() throws {
        var pass: String?
        for _ in 0..<30 { pass = try store.mail(account, ada, pass: pass).pass }
        let last = try store.mail(account, ada, pass: pass)
        #expect(try account.verifyEmail(ada, code: last.code) == .verified)
    }

    @Test func aPassIsValidForItsAddressAndForADay() throws {
        try account.addEmail("grace@example.com")
        let grace = try EmailAddress("grace@example.com")
        let pass = try store.mail(account, grace).pass
        try useUp()
        #expect(try account.requestVerification(of: ada, pass: pass) == nil)
        for wrong in ["", "0", "0000-0000-0000-0000", String(repeating: "A", count: 100_000)] {
            #expect(try stranger().requestVerification(of: ada, pass: wrong) == nil)
        }
        store.clock.advance(seconds: 86_401)
        let again = try store.mail(account, grace, pass: pass).pass
        #expect(again != pass)
        #expect(try store.number("SELECT count(*) FROM address_history") == 2)
    }

    // MARK: What is kept

    @Test func dataAboutACodeIsKeptForAtMostADay() throws {
        _ = try store.mail(account, ada)
        store.clock.advance(seconds: 86_401)
        let other = try store.service.createAccount()
        try other.addEmail("grace@example.com")
        _ = try store.mail(other, EmailAddress("grace@example.com"))
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 1)
        store.clock.advance(seconds: 86_400)
        _ = try store.service.createAccount()
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 0)
    }

    @Test func removingTheAddressInvalidatesItsCode() throws {
        let code = try store.mail(account, ada).code
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
    }

    @Test func aNewCodeReplacesTheEarlierOne() throws {
        let first = try store.mail(account, ada).code
        let second = try store.mail(account, ada).code
        expect(.permissionFailure) { try account.verifyEmail(ada, code: first) }
        _ = try account.verifyEmail(ada, code: second)
    }

    @Test func aCodeOfAnotherAccountOrAddressIsInvalid() throws {
        let other = try stranger()
        let code = try store.mail(account, ada).code
        expect(.unknownItem) { try other.verifyEmail(ada, code: code) }
        _ = try store.mail(other, ada)
        expect(.permissionFailure) { try other.verifyEmail(ada, code: code) }

        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com")
        expect(.unknownItem) { try account.verifyEmail(grace, code: code) }
        _ = try account.verifyEmail(ada, code: code)
        #expect(try other.emails().map(\.isVerified) == [false])
    }

    @Test func aVerifiedAddressIsDiscoverableImmediately() throws {
        let session = try store.container.session(for: account)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try store.session("Seeker").discover(ada) == nil)
        try store.prove(account, ada)
        #expect(try store.session("Seeker").discover(ada)?.userRecordID == session.userRecordID())
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func neitherCodeNorPassIsInTheFiles() throws {
        for number in 0..<10 {
            try account.addEmail("a\(number)@example.com")
            let mail = try store.mail(account, EmailAddress("a\(number)@example.com"))
            let files = try store.folder.allBytes()
            for secret in [mail.code, mail.pass] {
                for text in [secret, secret.replacing("-", with: "")] {
                    #expect(files.range(of: Data(text.utf8)) == nil)
                }
            }
        }
    }

    @Test func codesDiffer() throws {
        let codes = try (0..<60).map { number in
            let account = try store.service.createAccount()
            try account.addEmail("a\(number)@example.com")
            return try store.mail(account, EmailAddress("a\(number)@example.com")).code
        }
        #expect(Set(codes).count == 60)
        for place in [0, 3, 5, 8] { #expect(Set(codes.map { Array($0)[place] }).count > 15) }
    }

    // MARK: Clocks

    @Test func settingTheClockBackLocksNoAddressOut() throws {
        for _ in 0..<5 { _ = try store.mail(account, ada) }
        store.clock.advance(seconds: -365 * 86_400)
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        #expect(try stranger().requestVerification(of: ada) == nil)
        store.clock.advance(seconds: 86_401)
        try store.prove(account, ada)
        #expect(try isVerified())
    }

    @Test func aCodeExpiresAlthoughTheClockWasSetBack() throws {
        let code = try store.mail(account, ada).code
        store.clock.advance(seconds: -365 * 86_400)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
    }

    // MARK: At once

    @Test func twoConcurrentServicesSendNoMoreMails() throws {
        let services = try (0..<4).map { _ in try store.reopened() }
        let number = Lock(0)
        let mails = try concurrently(4) { [ada] in
            let service = services[
                number.withLock { number in
                    defer { number += 1 }
                    return number
                }
            ]
            return try (0..<5).count { _ in
                let account = try service.createAccount()
                try account.addEmail("ada@example.com")
                defer { _ = try? account.erase() }
                return try account.requestVerification(of: ada) != nil
            }
        }
        #expect(mails.reduce(0, +) == 5)
    }

    @Test func anErasureReportsOnlyTheAccountsOwnRequests() throws {
        _ = try account.requestVerification(of: ada)
        let other = try store.service.createAccount()
        try other.addEmail("ada@example.com")
        #expect(try other.erase().mailsCountUntil == nil)
        store.clock.advance(seconds: 60)
        #expect(try account.erase().mailsCountUntil?.seconds(since: store.clock.now) == 86_340)
    }
}
