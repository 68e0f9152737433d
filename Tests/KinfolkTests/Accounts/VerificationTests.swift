import Foundation
import Kinfolk
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

    private func isVerified() throws -> Bool { try account.emails().first?.isVerified == true }

    private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

    @Test func theCodeVerifiesTheAddress() throws {
        let code = try account.requestVerification(of: ada)
        #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)
        store.clock.advance(seconds: 30)
        try account.verifyEmail(ada, code: code)
        #expect(try account.emails().map(\.verifiedAt) == [store.clock.now])
        #expect(try store.service.account(email: ada).id == account.id)
    }

    @Test func aCodeWorksOnceOnly() throws {
        let code = try account.requestVerification(of: ada)
        try account.verifyEmail(ada, code: code)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
        expect(.conflict) { try account.requestVerification(of: ada) }
    }

    @Test func aCodeHoldsForTenMinutes() throws {
        let code = try account.requestVerification(of: ada)
        store.clock.advance(seconds: 600)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
        let second = try account.requestVerification(of: ada)
        store.clock.advance(seconds: 599.999)
        try account.verifyEmail(ada, code: second)
        #expect(try isVerified())
    }

    @Test func aCodeMayBeTriedFiveTimes() throws {
        let code = try account.requestVerification(of: ada)
        for _ in 0..<4 { expect(.permissionFailure) { try account.verifyEmail(ada, code: wrong(code)) } }
        try account.verifyEmail(ada, code: code)
        #expect(try isVerified())
    }

    @Test func afterFiveWrongTriesTheRightCodeIsNoUse() throws {
        let code = try account.requestVerification(of: ada)
        for _ in 0..<5 { expect(.permissionFailure) { try account.verifyEmail(ada, code: wrong(code)) } }
        expect(.limitExceeded) { try account.verifyEmail(ada, code: code) }
        #expect(try !isVerified())
        try account.verifyEmail(ada, code: account.requestVerification(of: ada))
        #expect(try isVerified())
    }

    @Test(arguments: ["", "1", "12345", "1234567", "１２３４５６", "abcdef", String(repeating: "1", count: 100_000), "\u{0}"])
    func whatIsNoCodeIsAWrongOne(code: String) throws {
        _ = try account.requestVerification(of: ada)
        expect(.permissionFailure) { try account.verifyEmail(ada, code: code) }
    }

    @Test func anAddressGetsFiveCodesADay() throws {
        var codes: [String] = []
        for _ in 0..<5 {
            codes.append(try account.requestVerification(of: ada))
            store.clock.advance(seconds: 60)
        }
        let error = expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        #expect(error?.retryAfter == 86_100)
        store.clock.advance(seconds: 86_400 - 300)
        codes.append(try account.requestVerification(of: ada))
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
    }

    @Test func codesToAnyAccountCount() throws {
        let other = try store.service.createAccount()
        try other.addEmail("ada@example.com")
        for _ in 0..<3 { _ = try account.requestVerification(of: ada) }
        for _ in 0..<2 { _ = try other.requestVerification(of: ada) }
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        expect(.requestRateLimited) { try other.requestVerification(of: ada) }
        try other.addEmail("grace@example.com")
        _ = try other.requestVerification(of: EmailAddress("grace@example.com"))
    }

    @Test func removingTheAddressAndAddingItAgainGivesNoMoreCodes() throws {
        for _ in 0..<5 { _ = try account.requestVerification(of: ada) }
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
    }

    @Test func aCodeFromBeforeTheAddressWasRemovedIsNoUse() throws {
        let code = try account.requestVerification(of: ada)
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
    }

    @Test func nothingOfACodeIsKeptForMoreThanADay() throws {
        _ = try account.requestVerification(of: ada)
        store.clock.advance(seconds: 86_401)
        let other = try store.service.createAccount()
        try other.addEmail("grace@example.com")
        _ = try other.requestVerification(of: EmailAddress("grace@example.com"))
        #expect(try store.number("SELECT count(*) FROM verification_codes") == 1)
    }

    @Test func theNewestCodeCounts() throws {
        let first = try account.requestVerification(of: ada)
        var second = try account.requestVerification(of: ada)
        if second == first { second = try account.requestVerification(of: ada) }
        expect(.permissionFailure) { try account.verifyEmail(ada, code: first) }
        try account.verifyEmail(ada, code: second)
    }

    @Test func aCodeOfAnotherAccountOrAddressIsNoUse() throws {
        let other = try store.service.createAccount()
        try other.addEmail("ada@example.com")
        let code = try account.requestVerification(of: ada)
        expect(.unknownItem) { try other.verifyEmail(ada, code: code) }
        var otherCode = try other.requestVerification(of: ada)
        if otherCode == code { otherCode = try other.requestVerification(of: ada) }
        expect(.permissionFailure) { try other.verifyEmail(ada, code: code) }

        let grace = try EmailAddress("grace@example.com")
        try account.addEmail("grace@example.com")
        expect(.unknownItem) { try account.verifyEmail(grace, code: code) }
        try account.verifyEmail(ada, code: code)
        #expect(try other.emails().map(\.isVerified) == [false])
    }

    @Test func verifyingAnAddressThatAnotherAccountHasTakesIt() throws {
        let loser = try store.discoverable("Loser", emails: "ada@example.com")
        let seeker = try store.session("Seeker")
        #expect(try seeker.discover(ada) != nil)
        try account.verifyEmail(ada, code: account.requestVerification(of: ada))
        #expect(try store.service.account(email: ada).id == account.id)
        #expect(try store.account(of: loser).emails().isEmpty)
        #expect(try seeker.discover(ada) == nil)
        #expect(try store.number("SELECT count(*) FROM directory") == 0)
    }

    @Test func aVerifiedAddressIsDiscoverableAtOnce() throws {
        let session = try store.container.session(for: account)
        try session.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try store.session("Seeker").discover(ada) == nil)
        try account.verifyEmail(ada, code: account.requestVerification(of: ada))
        #expect(try store.session("Seeker").discover(ada)?.userRecordID == session.userRecordID())
    }

    @Test func aWrongCodeChangesNothing() throws {
        let loser = try store.account("Loser", emails: "ada@example.com")
        let code = try account.requestVerification(of: ada)
        expect(.permissionFailure) { try account.verifyEmail(ada, code: wrong(code)) }
        #expect(try store.service.account(email: ada).id == loser.id)
        #expect(try !isVerified())
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theCodeIsNowhereInTheFiles() throws {
        // Six digits are found by chance in enough random bytes: of forty codes hardly two.
        var seen = 0
        for number in 0..<40 {
            try account.addEmail("a\(number)@example.com")
            let code = try account.requestVerification(of: EmailAddress("a\(number)@example.com"))
            if try store.folder.allBytes().range(of: Data(code.utf8)) != nil { seen += 1 }
        }
        #expect(seen < 2)
    }

    @Test func codesDiffer() throws {
        var codes: Set<String> = []
        for number in 0..<60 {
            try account.addEmail("a\(number)@example.com")
            codes.insert(try account.requestVerification(of: EmailAddress("a\(number)@example.com")))
        }
        #expect(codes.count > 55)
        #expect(codes.contains { $0 > "5" } && codes.contains { $0 < "5" })
    }

    @Test func aClockThatIsSetBackLocksNoAddressOut() throws {
        for _ in 0..<5 { _ = try account.requestVerification(of: ada) }
        store.clock.advance(seconds: -365 * 86_400)
        expect(.requestRateLimited) { try account.requestVerification(of: ada) }
        store.clock.advance(seconds: 86_401)
        try account.verifyEmail(ada, code: account.requestVerification(of: ada))
    }

    @Test func aCodeOfAClockThatIsSetBackDoesNotLastForEver() throws {
        let code = try account.requestVerification(of: ada)
        store.clock.advance(seconds: -365 * 86_400)
        expect(.unknownItem) { try account.verifyEmail(ada, code: code) }
    }
}
