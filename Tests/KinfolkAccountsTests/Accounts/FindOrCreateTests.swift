import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// A missing account or container is created once, however many threads and processes ask for it at the same time.
@Suite struct FindOrCreateTests {
    private let store: TestService

    init() throws { store = try TestService() }

    @Test func oneAccountIsCreatedForAnAddress() throws {
        let services = [store.service, try store.reopened()]
        for round in 0..<5 {
            let found = try concurrently(8) {
                let service = services.randomElement() ?? services[0]
                let found = try service.findOrCreateAccount(email: "Ada\(round)@example.com")
                return (id: found.account.id, isNew: found.isNew)
            }
            #expect(Set(found.map(\.id)).count == 1)
            #expect(found.count(where: \.isNew) == 1)
        }
        #expect(try store.number("SELECT count(*) FROM accounts") == 5)
        #expect(try store.number("SELECT count(*) FROM verified_emails") == 5)
    }

    @Test func oneContainerIsCreatedForAName() throws {
        let services = [store.service, try store.reopened()]
        let found = try concurrently(8) {
            try (services.randomElement() ?? services[0]).openOrCreateContainer("com.example.chat")
        }
        #expect(Set(found.map(\.container.number)).count == 1)
        #expect(found.count(where: \.isNew) == 1)
        #expect(try store.service.containers().count == 2)
    }

    @Test func anUnverifiedAddressHasNoOwner() throws {
        let other = try store.service.createAccount()
        try other.addEmail("ada@example.com")
        let found = try store.service.findOrCreateAccount(email: "ada@example.com")
        #expect(found.isNew && found.account.id != other.id)
        #expect(try found.account.emails().map(\.isVerified) == [true])
    }

    /// Otherwise a limit would be reset by erasing the account and signing in again.
    @Test func permitsSpentWithTheAddressStaySpent() throws {
        let found = try store.service.findOrCreateAccount(email: "ada@example.com")
        _ = try store.container.session(for: found.account).discover(book("a@example.com", "b@example.com"))
        _ = try found.account.erase()
        let again = try store.service.findOrCreateAccount(email: "ada@example.com")
        #expect(again.isNew)
        #expect(try store.container.session(for: again.account).permitsLeft() < 20_000)
    }

    @Test func aRefusedCallCreatesNoAccount() throws {
        expect(.invalidArgument) { try store.service.findOrCreateAccount(email: "nobody").isNew }
        let long = PersonName(givenName: String(repeating: "a", count: PersonName.maximumLength + 1))
        expect(.limitExceeded) { try store.service.findOrCreateAccount(email: "ada@example.com", name: long).isNew }
        #expect(try store.number("SELECT count(*) FROM accounts") == 0)
    }
}
