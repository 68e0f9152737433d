import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A person who comes back with the same address does not have the full amounts again.
@Suite struct LimitDebtTests {
    private let store: TestService
    private let address = "seeker@example.com"

    init() throws {
        store = try TestService()
        // 16 permits, because remembered amounts are rounded to sixteenths.
        try store.container.setPermitLimit(PermitLimit(capacity: 16, perHour: 0, unverifiedCapacity: 2))
    }

    /// How many permits a person can spend now.
    private func spendAll(_ session: Session) throws -> Int {
        var spent = 0
        while spent < 100 {
            do {
                try spend(1, session)
                spent += 1
            } catch let error as KinfolkError where error.code == .requestRateLimited { break }
        }
        return spent
    }

    private func spend(_ count: Int, _ session: Session) throws {
        for _ in 0..<count { _ = try session.discover(EmailAddress("stranger@example.org")) }
    }

    @Test func erasingAndVerifyingAgainReturnsNoPermits() throws {
        var spent = 0
        for _ in 0..<5 {
            let session = try store.session(emails: address)
            spent += try spendAll(session)
            _ = try store.account(of: session).erase()
        }
        #expect(spent == 16)
    }

    @Test func smallAmountsAreRememberedToo() throws {
        var spent = 0
        for _ in 0..<20 {
            let session = try store.session(emails: address)
            do {
                try spend(1, session)
                spent += 1
            } catch let error as KinfolkError where error.code == .requestRateLimited { break }
            _ = try store.account(of: session).erase()
        }
        #expect(spent <= 16)
    }

    @Test func allAddressesOfAnErasedAccountRememberTheAmount() throws {
        let session = try store.session(emails: address, "second@example.com")
        try spend(16, session)
        try store.account(of: session).addEmail("unverified@example.com")
        let erasure = try store.account(of: session).erase()
        #expect(erasure.rememberedEmails == 2)
        for address in [address, "second@example.com"] {
            #expect(try spendAll(store.session(emails: address)) == 0)
        }
        #expect(try spendAll(store.session(emails: "unverified@example.com")) == 16)
    }

    @Test func removingAndAddingAddressesInAnyOrderReturnsNoPermits() throws {
        let session = try store.session(emails: address)
        let account = try store.account(of: session)
        var spent = try spendAll(session)
        try account.removeEmail(EmailAddress(address))
        spent += try spendAll(session)
        try account.addEmail("second@example.com", verified: true)
        spent += try spendAll(session)
        try account.addEmail(address, verified: true)
        spent += try spendAll(session)
        try account.removeEmail(EmailAddress("second@example.com"))
        // Another account with an address that was removed.
        spent += try spendAll(store.session(emails: "second@example.com"))
        #expect(spent == 16)
    }

    @Test func theSpentAmountMovesWithATransferredAddress() throws {
        try spend(16, store.session(emails: address))
        let other = try store.session()
        #expect(try spendAll(other) == 2)
        try store.service.transferEmail(address, to: store.account(of: other))
        #expect(try spendAll(other) == 0)
    }

    @Test func theSpentAmountMovesWithAnAddressVerifiedByACode() throws {
        let first = try store.session(emails: address)
        try spend(16, first)
        _ = try store.account(of: first).erase()
        let again = try store.session()
        #expect(try spendAll(again) == 2)
        let account = try store.account(of: again)
        try account.addEmail(address)
        let mail = try #require(try account.requestVerification(of: EmailAddress(address)))
        #expect(try account.verifyEmail(EmailAddress(address), code: mail.code) == .verified)
        #expect(try spendAll(again) == 0)
    }

    @Test func anImportedPersonInheritsTheSpentAmountOfTheAddress() throws {
        let first = try store.session(emails: address)
        try spend(16, first)
        _ = try store.account(of: first).erase()
        let file = store.folder.file("people.csv")
        try "given_name,email\nAda,\(address)\n".write(toFile: file, atomically: false, encoding: .utf8)
        _ = try store.service.importPeople(fromFile: file, into: store.container)
        let account = try store.service.account(email: EmailAddress(address))
        #expect(try spendAll(store.container.session(for: account)) == 0)
    }

    @Test func amountsAreRememberedForEachContainerAndKind() throws {
        let chat = try store.service.createContainer("com.example.chat")
        try chat.setPermitLimit(PermitLimit(capacity: 16, perHour: 0))
        try chat.setFieldLimit(2)
        let session = try store.session(emails: address)
        try spend(16, session)
        let account = try store.account(of: session)
        let elsewhere = try chat.session(for: account)
        var record = try elsewhere.fetchUserRecord()
        for name in ["one", "two"] { try record.set(name, to: .boolean(true)) }
        _ = try elsewhere.save(record)
        _ = try account.erase()
        let again = try store.session(emails: address)
        #expect(try spendAll(again) == 0)
        let there = try chat.session(for: store.account(of: again))
        #expect(try spendAll(there) == 16)
        var other = try there.fetchUserRecord()
        try other.set("three", to: .boolean(true))
        expect(.limitExceeded) { try there.save(other) }
    }

    @Test func rememberedAmountsAccrueAgainFromTheEndOfTheDay() throws {
        try store.container.setPermitLimit(PermitLimit(capacity: 16, perHour: 1))
        let day = 86_400.0
        let session = try store.session(emails: address)
        try spend(16, session)
        _ = try store.account(of: session).erase()
        // The rest of the day, and four hours.
        let rest = day - Double(store.clock.now.microseconds % 86_400_000_000) / 1_000_000
        store.clock.advance(seconds: rest + 4 * 3_600 + 1)
        #expect(try spendAll(store.session(emails: address)) == 4)
    }

    @Test func rememberedAmountsAreRoundedUpToSixteenths() throws {
        try store.container.setPermitLimit(PermitLimit(capacity: 1_600, perHour: 0))
        let session = try store.session(emails: address)
        try spend(101, session)
        _ = try store.account(of: session).erase()
        let again = try store.session(emails: address)
        // Two steps of 100.
        expect(.requestRateLimited) { try again.discover(strangers(1_401)) }
        _ = try again.discover(strangers(1_400))
    }

    @Test func theReceiptNamesTheDateAtWhichTheAmountIsForgotten() throws {
        let session = try store.session(emails: address)
        try spend(16, session)
        let erasure = try store.account(of: session).erase()
        #expect(erasure.rememberedEmails == 1)
        let until = try #require(erasure.rememberedUntil)
        let days = until.seconds(since: store.clock.now) / 86_400
        #expect(days > 29 && days <= 30)
        store.clock.advance(seconds: until.seconds(since: store.clock.now) - 1)
        expect(.requestRateLimited) { try spend(1, store.session("B", emails: "b@example.com", address)) }
        store.clock.advance(seconds: 61)
        _ = try store.service.createAccount()
        #expect(try store.number("SELECT count(*) FROM address_history") == 0)
        #expect(try store.number("SELECT count(*) FROM address_history_keys") == 0)
    }

    @Test func anAccountThatSpentNothingLeavesNothing() throws {
        let erasure = try store.account(of: store.session(emails: address)).erase()
        #expect(erasure.rememberedEmails == 0)
        #expect(erasure.rememberedUntil == nil)
        #expect(try store.number("SELECT count(*) FROM address_history") == 0)
    }

    @Test func aLeaseInAnotherProcessGainsNothing() throws {
        try store.container.setPermitLimit(PermitLimit(capacity: 1_000, perHour: 0))
        let session = try store.session(emails: address)
        let other = try store.reopened()
        let account = try other.account(#require(session.account))
        let elsewhere = try other.container("com.example.notes").session(for: account)
        // The last look-up takes 16 permits, 15 of which are leased.
        try spend(16, elsewhere)
        _ = try session.discover(strangers(800))
        _ = try store.account(of: session).erase()
        expect(.notAuthenticated) { try spend(1, elsewhere) }
        let again = try store.session(emails: address)
        expect(.requestRateLimited) { try again.discover(strangers(126)) }
        _ = try again.discover(strangers(125))
    }

    @Test func rememberedAmountsSurviveARotationAndALargerLimit() throws {
        let session = try store.session(emails: address)
        try spend(16, session)
        _ = try store.account(of: session).erase()
        _ = try store.service.rotateKeys()
        #expect(try spendAll(store.session(emails: address)) == 0)
        try store.container.setPermitLimit(PermitLimit(capacity: 20, perHour: 0))
        let account = try store.service.account(email: EmailAddress(address))
        #expect(try spendAll(store.container.session(for: account)) == 4)
    }

    @Test func inheritedAmountsAreExportedAsSpent() throws {
        let session = try store.session(emails: address)
        try spend(16, session)
        _ = try store.account(of: session).erase()
        let again = try store.session(emails: address)
        expect(.requestRateLimited) { try spend(1, again) }
        #expect(try store.account(of: again).export().contains(#""spent": 16"#))
    }

    @Test func anUnverifiedPersonHasASmallerCeilingAndVerifyingRaisesIt() throws {
        let session = try store.session()
        #expect(try spendAll(session) == 2)
        expect(.limitExceeded) { try session.discover(strangers(3)) }
        try store.account(of: session).addEmail(address, verified: true)
        #expect(try spendAll(session) == 14)
    }

    @Test func permitsGivenByTheOperatorReplaceRememberedAmounts() throws {
        let first = try store.session(emails: address)
        try spend(16, first)
        _ = try store.account(of: first).erase()
        let again = try store.session(emails: address)
        #expect(try store.container.permitsLeft(of: again.userRecordID()) == 0)
        try store.container.setPermitsLeft(12, of: again.userRecordID())
        // Neither another address that is added and removed nor new keys change what the operator set.
        let account = try store.account(of: again)
        try account.addEmail("second@example.com", verified: true)
        _ = try store.service.rotateKeys()
        try account.removeEmail(EmailAddress("second@example.com"))
        #expect(try spendAll(again) == 12)
        try store.container.topUpPermits(of: again.userRecordID())
        #expect(try store.number("SELECT count(*) FROM address_history") == 1)
        _ = try account.erase()
        #expect(try spendAll(store.session(emails: address)) == 16)
    }

    @Test func permitsTakenByTheOperatorAreRememberedForAddresses() throws {
        let session = try store.session(emails: address)
        try store.container.setPermitsLeft(0, of: session.userRecordID())
        _ = try store.account(of: session).erase()
        #expect(try spendAll(store.session(emails: address)) == 0)
    }

    @Test func permitsAreSetOnlyForKnownPeopleAndUpToTheLimit() throws {
        let session = try store.session(emails: address)
        expect(.limitExceeded) { try store.container.setPermitsLeft(17, of: session.userRecordID()) }
        expect(.unknownItem) {
            try store.container.setPermitsLeft(1, of: UserRecordID("_" + String(repeating: "0", count: 32)))
        }
        try store.container.setPermitLimit(PermitLimit(capacity: 20, perHour: 0))
        #expect(try store.container.permitsLeft(of: session.userRecordID()) == 20)
    }

    private func strangers(_ count: Int) throws -> ContactBook {
        var book = ContactBook()
        for number in 0..<count { try book.add(email: "stranger\(number)@example.com") }
        return book
    }
}
