import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct AccountEmailTests {
    private let store: TestService
    private let account: Account
    private let ada: EmailAddress

    init() throws {
        store = try TestService()
        account = try store.service.createAccount()
        ada = try EmailAddress("ada@example.com")
    }

    @Test func addressesKeepTheirOrderAndSpelling() throws {
        for spelling in ["zoe@example.com", "  Ada@Example.COM\n", "m.m+tag@example.org"] {
            try account.addEmail(spelling)
        }
        let emails = try account.emails()
        #expect(emails.map(\.spelling) == ["zoe@example.com", "Ada@Example.COM", "m.m+tag@example.org"])
        #expect(emails.allSatisfy { !$0.isVerified && $0.isDiscoverable && $0.addedAt == store.clock.now })
    }

    @Test func twoSpellingsOfOneAddressAreOneAddress() throws {
        try account.addEmail("Ada@Example.com")
        store.clock.advance(seconds: 60)
        try account.addEmail("ada@EXAMPLE.com", verified: true)
        let emails = try account.emails()
        #expect(emails.map(\.spelling) == ["Ada@Example.com"])
        #expect(emails.map(\.verifiedAt) == [store.clock.now])
    }

    @Test func addingAVerifiedAddressAgainLeavesItVerified() throws {
        try account.addEmail("ada@example.com", verified: true)
        let verifiedAt = store.clock.now
        store.clock.advance(seconds: 60)
        try account.addEmail("ada@example.com")
        #expect(try account.emails().map(\.verifiedAt) == [verifiedAt])
    }

    @Test(arguments: Search.some(["", "ada", "@example.com", "ada@", "ada lovelace@example.com"]))
    func anInvalidAddressIsRefusedAndNotRepeatedInTheError(text: String) throws {
        let error = expect(.invalidArgument) { try account.addEmail(text) }
        #expect(error?.reason.contains("ada") == false)
        #expect(try account.emails().isEmpty)
    }

    @Test func anAccountHasAtMostAHundredAddresses() throws {
        for number in 0..<100 { try account.addEmail("a\(number)@example.com") }
        expect(.limitExceeded) { try account.addEmail("a100@example.com") }
        try account.addEmail("a99@example.com", verified: true)
        try account.removeEmail(EmailAddress("a0@example.com"))
        try account.addEmail("a100@example.com")
        #expect(try account.emails().count == 100)
    }

    @Test func anAddressThatTheAccountDoesNotHaveIsUnknown() throws {
        _ = try store.account("Other", emails: "ada@example.com")
        expect(.unknownItem) { try account.removeEmail(ada) }
        expect(.unknownItem) { try account.setEmailDiscoverable(ada, false) }
        expect(.unknownItem) { try account.requestVerification(of: ada) }
        expect(.unknownItem) { try account.verifyEmail(ada, code: "123456") }
    }

    @Test func anAccountIsFoundByItsVerifiedAddressesOnly() throws {
        try account.addEmail("ada@example.com")
        expect(.unknownItem) { try store.service.account(email: ada) }
        try account.addEmail("ada@example.com", verified: true)
        #expect(try store.service.account(email: EmailAddress("ADA@example.com")).id == account.id)
        try account.setEmailDiscoverable(ada, false)
        #expect(try store.service.account(email: ada).id == account.id)
        try account.removeEmail(ada)
        expect(.unknownItem) { try store.service.account(email: ada) }
    }

    @Test func aRemovedAddressCanBeAddedAgainUnverified() throws {
        try account.addEmail("ada@example.com", verified: true)
        try account.removeEmail(ada)
        try account.addEmail("ada@example.com")
        #expect(try account.emails().map(\.isVerified) == [false])
        expect(.unknownItem) { try store.service.account(email: ada) }
    }

    @Test func manyAccountsMayHaveAnAddressButOnlyOneMayVerifyIt() throws {
        let other = try store.service.createAccount()
        try account.addEmail("ada@example.com")
        try other.addEmail("ada@example.com", verified: true)
        #expect(try store.service.account(email: ada).id == other.id)
        #expect(try account.emails().map(\.isVerified) == [false])
    }

    @Test func aTransferredAddressMovesImmediately() throws {
        let loser = try store.discoverable("Loser", emails: "ada@example.com", "loser@example.com")
        let seeker = try store.session("Seeker")
        #expect(try seeker.discover(ada)?.userRecordID == loser.userRecordID())

        let winner = try store.discoverable("Winner", emails: "winner@example.com")
        try store.service.transferEmail("ada@example.com", to: store.account(of: winner))
        #expect(try seeker.discover(ada)?.userRecordID == winner.userRecordID())
        #expect(try store.account(of: loser).emails().map(\.spelling) == ["loser@example.com"])
        #expect(try store.service.account(email: ada).id == winner.account)
        #expect(try store.directoryRows() == [3, 2])
        #expect(try seeker.discover(EmailAddress("loser@example.com"))?.userRecordID == loser.userRecordID())
    }

    @Test func anAddressTransferredToAnUndiscoverablePersonIsHidden() throws {
        _ = try store.discoverable("Loser", emails: "ada@example.com")
        try store.service.transferEmail("ada@example.com", to: account)
        #expect(try store.session("Seeker").discover(ada) == nil)
        #expect(try store.number("SELECT count(*) FROM directory") == 0)
    }

    @Test func anAddressWithoutAnOwnerCanBeTransferred() throws {
        try store.service.transferEmail(" Ada@example.com", to: account)
        try store.service.transferEmail("ada@example.com", to: account)
        #expect(try account.emails().map(\.spelling) == ["Ada@example.com"])
        #expect(try account.emails().map(\.isVerified) == [true])
        expect(.invalidArgument) { try store.service.transferEmail("ada", to: account) }
        expect(.invalidArgument) {
            try store.service.transferEmail("ada@example.com", to: store.reopened().account(account.id))
        }
        for number in 1..<100 { try account.addEmail("a\(number)@example.com") }
        expect(.limitExceeded) { try store.service.transferEmail("a100@example.com", to: account) }
        _ = try account.erase()
        expect(.unknownItem) { try store.service.transferEmail("ada@example.com", to: account) }
    }
}
