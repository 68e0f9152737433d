import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct SessionTests {
    private let store: TestService
    private var container: Container { store.container }

    init() throws { store = try TestService() }

    @Test func aUserRecordIDIsStable() throws {
        let account = try store.account()
        let id = try container.session(for: account).userRecordID()
        #expect(id.description.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
        #expect(try container.session(for: account).userRecordID() == id)
        let again = try store.reopened()
        #expect(try again.container(container.name).session(for: again.account(account.id)).userRecordID() == id)
        try account.setName(PersonName(givenName: "Grace"))
        try account.suspend()
        #expect(try container.session(for: account).userRecordID() == id)
    }

    @Test func theFirstSessionOfANewAccountDoesNotSearchForAUserRecordID() throws {
        let account = try store.service.createAccount()
        func open(_ container: Container) throws -> (UserRecordID, [WorkDone]) {
            let (session, work) = try store.service.tracing { try container.session(for: account) }
            return (try session.userRecordID(), work)
        }
        func asks(_ work: [WorkDone]) -> Bool {
            work.contains { $0.sql.contains("FROM users") && $0.sql.hasPrefix("SELECT") }
        }
        func writes(_ work: [WorkDone]) -> Bool { work.contains { $0.sql.hasPrefix("INSERT") } }

        let (id, work) = try open(container)
        #expect(writes(work) && !asks(work))
        let (again, workAgain) = try open(container)
        #expect(again == id)
        #expect(asks(workAgain) && !writes(workAgain))
        let (elsewhere, workElsewhere) = try open(store.service.createContainer("com.example.chat"))
        #expect(elsewhere != id)
        #expect(asks(workElsewhere) && writes(workElsewhere))
    }

    @Test func aNewAccountThatWasUsedElsewhereKeepsItsUserRecordID() throws {
        let account = try store.service.createAccount()
        let id = try container.session(for: store.service.account(account.id)).userRecordID()
        #expect(try container.session(for: account).userRecordID() == id)
        let erased = try store.service.createAccount()
        _ = try store.service.account(erased.id).erase()
        expect(.notAuthenticated) { try container.session(for: erased) }
    }

    @Test func userRecordIDsAreUnrelated() throws {
        let containers = [container, try store.service.createContainer("com.example.chat")]
        var ids: Set<String> = []
        for _ in 0..<50 {
            let account = try store.account()
            ids.insert(account.id.description)
            for container in containers {
                ids.insert(String(try container.session(for: account).userRecordID().description.dropFirst()))
            }
        }
        #expect(ids.count == 150)
        // No part of an ID occurs in another one: 64 of 128 random bits are not equal by chance.
        #expect(Set(ids.map { $0.prefix(16) }).union(ids.map { $0.suffix(16) }).count == 300)
    }

    @Test func theSameAccountInAnotherStoreHasAnotherID() throws {
        let other = try TestService()
        #expect(try store.session().userRecordID() != other.session().userRecordID())
    }

    @Test func aSessionRevealsNothingAboutOtherContainers() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let account = try store.account(emails: "ada@example.com")
        let here = try container.session(for: account)
        let there = try chat.session(for: account)
        for session in [here, there] { try session.setDiscoverability(.granted, wording: TestService.wording) }
        let id = try there.userRecordID()
        let seeker = try store.session("Seeker")
        #expect(try seeker.discover(id) == nil)
        expect(.unknownItem) { try seeker.fetchUserRecord(id) }
        expect(.unknownItem) { try here.fetchUserRecord(id, in: .private) }
        expect(.unknownItem) { try here.save(there.fetchUserRecord()) }
    }

    @Test func anAnonymousSessionCanOnlyRead() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        record = try ada.save(record)

        let nobody = container.anonymousSession()
        #expect(nobody.accountStatus() == .noAccount)
        #expect(try nobody.fetchUserRecord(ada.userRecordID())["color"] == .string("green"))
        expect(.notAuthenticated) { try nobody.fetchUserRecord(ada.userRecordID(), in: .private) }
        expect(.notAuthenticated) { try nobody.fetchUserRecord() }
        expect(.notAuthenticated) { try nobody.userRecordID() }
        expect(.notAuthenticated) { try nobody.save(record) }
        expect(.notAuthenticated) { try nobody.discoverability() }
        expect(.notAuthenticated) { try nobody.setDiscoverability(.granted, wording: TestService.wording) }
        expect(.notAuthenticated) {
            try nobody.requestDiscoverability(wording: TestService.wording) { _ in
                Issue.record("Nobody is there to be asked.")
                return .granted
            }
        }
        expect(.notAuthenticated) { try nobody.discover(ada.userRecordID()) }
        expect(.notAuthenticated) { try nobody.discover(EmailAddress("ada@example.com")) }
        expect(.notAuthenticated) { try nobody.discover(book("ada@example.com")) }
        expect(.notAuthenticated) { try nobody.discover(ContactBook()) }
        expect(.notAuthenticated) { try nobody.accountChanges() }
    }

    @Test func aSuspendedSessionIsRestrictedAndCanOnlyRead() throws {
        let ada = try store.session("Ada", emails: "ada@example.com")
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        try store.account(of: ada).suspend()

        #expect(ada.accountStatus() == .restricted)
        #expect(try ada.userRecordID() == record.id.user)
        #expect(try ada.fetchUserRecord().id == record.id)
        #expect(try ada.discoverability() == .undetermined)
        expect(.notAuthenticated) { try ada.fetchUserRecord(in: .private) }
        expect(.notAuthenticated) { try ada.save(record) }
        expect(.notAuthenticated) { try ada.setDiscoverability(.granted, wording: TestService.wording) }
        expect(.notAuthenticated) { try ada.requestDiscoverability(wording: TestService.wording) { _ in .granted } }
        expect(.notAuthenticated) { try ada.discover(ada.userRecordID()) }
        expect(.notAuthenticated) { try ada.discover(EmailAddress("ada@example.com")) }
        expect(.notAuthenticated) { try ada.discover(book("ada@example.com")) }

        try store.account(of: ada).resume()
        #expect(ada.accountStatus() == .available)
        _ = try ada.save(record)
    }

    @Test func aSuspendedAccountDoesNotJoinAContainer() throws {
        let account = try store.account()
        try account.suspend()
        expect(.notAuthenticated) { try container.session(for: account) }
        #expect(try store.number("SELECT count(*) FROM users") == 0)
        try account.resume()
        #expect(try container.session(for: account).accountStatus() == .available)
    }

    @Test func anErasedAccountsSessionHasNoAccount() throws {
        let ada = try store.session()
        let id = try ada.userRecordID()
        #expect(ada.accountStatus() == .available)
        _ = try store.account(of: ada).erase()
        #expect(ada.accountStatus() == .noAccount)
        expect(.notAuthenticated) { try ada.userRecordID() }
        expect(.notAuthenticated) { try ada.discoverability() }
        expect(.notAuthenticated) { try ada.fetchUserRecord() }
        expect(.unknownItem) { try ada.fetchUserRecord(id) }
    }

    @Test func aStoreThatCannotBeReachedGivesNoStatus() throws {
        let store = try TestService(wait: 0.05)
        let session = try store.session()
        // All connections for reading are in use.
        func nested(_ depth: Int) throws {
            try store.service.read { _ in
                if depth < 16 { return try nested(depth + 1) }
                #expect(session.accountStatus() == .couldNotDetermine)
                expect(.serviceUnavailable) { try session.userRecordID() }
            }
        }
        try nested(1)
        #expect(session.accountStatus() == .available)
    }

    @Test func anAccountOfAnotherServiceIsRefused() throws {
        let account = try store.reopened().createAccount()
        expect(.invalidArgument) { try container.session(for: account) }
    }

    @Test func concurrentFirstSessionsMakeOneUserRecordID() throws {
        let account = try store.account()
        let container = container
        let ids = try concurrently(8) { try container.session(for: account).userRecordID() }
        #expect(Set(ids).count == 1)
        #expect(try store.number("SELECT count(*) FROM users") == 1)
    }

    @Test(
        arguments: Search.some([
            "", "_", "0123456789abcdef0123456789abcdef", "_0123456789abcdef0123456789abcde",
            "_0123456789ABCDEF0123456789abcdef",
            "__0123456789abcdef0123456789abcde", "_0123456789abcdef0123456789abcdef ",
        ])
    )
    func aMalformedUserRecordIDIsRefused(text: String) { expect(.invalidArgument) { try UserRecordID(text) } }
}
