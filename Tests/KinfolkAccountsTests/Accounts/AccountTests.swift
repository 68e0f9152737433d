import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct AccountTests {
    private let store: TestService
    private var service: Service { store.service }

    init() throws { store = try TestService() }

    @Test func anAccountIsOpenedByItsID() throws {
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        let opened = try service.account(AccountID(account.id.description))
        #expect(try opened.name() == PersonName(givenName: "Ada", familyName: "Example"))
        #expect(try !opened.isSuspended())
    }

    @Test func accountIDsAreRandom() throws {
        let ids = try (0..<200).map { _ in try service.createAccount().id.description }
        #expect(Set(ids).count == 200)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
        // At every place many different digits occur.
        for place in 0..<32 { #expect(Set(ids.map { Array($0.utf8)[place] }).count > 8) }
    }

    @Test(
        arguments: Search.some([
            "", "0", "_0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcde",
            "0123456789ABCDEF0123456789ABCDEF",
            "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcdeg", "٠123456789abcdef0123456789abcde",
        ])
    )
    func aMalformedAccountIDIsRefused(text: String) { expect(.invalidArgument) { try AccountID(text) } }

    @Test func anUnknownAccountIsUnknown() throws {
        let id = try AccountID(String(repeating: "0", count: 32))
        expect(.unknownItem) { try service.account(id) }
    }

    @Test(
        arguments: Search.some([
            "", "Ada", "Ада", "阿達", "\u{0}", "e\u{301}", "👩‍👩‍👧", "\"\\\n\u{2028}", String(repeating: "x", count: 1_024),
        ])
    )
    func aNameRoundTrips(name: String) throws {
        let account = try service.createAccount(name: PersonName(givenName: name, familyName: "x" + name.dropLast()))
        let read = try account.name()
        #expect(Array(read.givenName.utf8) == Array(name.utf8))
        #expect(Array(read.familyName.utf8) == Array(("x" + name.dropLast()).utf8))
        try account.setName(PersonName(familyName: name))
        #expect(try Array(account.name().familyName.utf8) == Array(name.utf8))
    }

    @Test func aNameThatIsTooLongIsRefusedAndTheOldOneStays() throws {
        let long = String(repeating: "é", count: 513)
        expect(.limitExceeded) { try service.createAccount(name: PersonName(givenName: long)) }
        let account = try service.createAccount(name: PersonName(givenName: "Ada"))
        expect(.limitExceeded) { try account.setName(PersonName(familyName: long)) }
        #expect(try account.name().givenName == "Ada")
        #expect(try service.accounts().count == 1)
    }

    @Test func accountsAreListedInOrderAPageAtATime() throws {
        let all = try (0..<25).map { _ in try service.createAccount().id.description }.sorted()
        var listed: [String] = []
        var last: AccountID?
        while true {
            let page = try service.accounts(after: last, limit: 7)
            #expect(page.count <= 7)
            if page.isEmpty { break }
            listed += page.map(\.id.description)
            last = page.last?.id
        }
        #expect(listed == all)
        #expect(try service.accounts(limit: 0).isEmpty)
        #expect(try service.accounts(limit: -1).isEmpty)
        #expect(try service.accounts(limit: .max).count == 25)
    }

    @Test func callsOnAnErasedAccountFailWithUnknownItem() throws {
        let account = try store.account(emails: "ada@example.com")
        let again = try service.account(account.id)
        _ = try account.erase()
        let email = try EmailAddress("ada@example.com")
        expect(.unknownItem) { try again.name() }
        expect(.unknownItem) { try again.setName(PersonName()) }
        expect(.unknownItem) { try again.isSuspended() }
        expect(.unknownItem) { try again.suspend() }
        expect(.unknownItem) { try again.resume() }
        expect(.unknownItem) { try again.emails() }
        expect(.unknownItem) { try again.addEmail("ada@example.com") }
        expect(.unknownItem) { try again.setEmailDiscoverable(email, true) }
        expect(.unknownItem) { try again.removeEmail(email) }
        expect(.unknownItem) { try again.requestVerification(of: email) }
        expect(.unknownItem) { try again.verifyEmail(email, code: "0000-0000") }
        expect(.unknownItem) { try again.confirmSignIn(email, code: "0000-0000") }
        expect(.unknownItem) { try again.refuseClaims(on: email, code: "0000-0000") }
        expect(.unknownItem) { try again.claims() }
        expect(.unknownItem) { try again.export() }
        expect(.unknownItem) { try again.erase() }
        expect(.notAuthenticated) { try store.container.session(for: again) }
        expect(.unknownItem) { try service.account(email: email) }
    }
}
