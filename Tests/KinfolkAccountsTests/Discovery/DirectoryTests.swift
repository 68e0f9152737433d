import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// People who may not be found have no row in the directory.
@Suite struct DirectoryTests {
    private let store: TestService
    private let account: Account
    private let session: Session
    private let ada: EmailAddress
    private let home: EmailAddress

    /// Ada is discoverable, and has two verified addresses.
    init() throws {
        store = try TestService()
        account = try store.account("Ada", emails: "ada@example.com", "ada@example.org")
        session = try store.container.session(for: account)
        ada = try EmailAddress("ada@example.com")
        home = try EmailAddress("ada@example.org")
        try session.setDiscoverability(.granted, wording: TestService.wording)
    }

    @Test func aDiscoverablePersonHasARowForEachVerifiedAddress() throws {
        #expect(try store.directoryRows() == [2, 1])
        try account.addEmail("unverified@example.com")
        #expect(try store.directoryRows() == [2, 1])
    }

    @Test func revokingDeletesTheRowsAndGrantingRestoresThem() throws {
        try session.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try store.directoryRows() == [0, 0])
        try session.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try store.directoryRows() == [2, 1])
    }

    @Test func grantingTwiceChangesNothing() throws {
        try session.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try store.directoryRows() == [2, 1])
    }

    @Test func suspendingDeletesTheRowsAndResumingRestoresThem() throws {
        try account.suspend()
        #expect(try store.directoryRows() == [0, 0])
        try account.setName(PersonName(givenName: "Grace"))
        try account.addEmail("new@example.com", verified: true)
        #expect(try store.directoryRows() == [0, 0])
        try account.resume()
        #expect(try store.directoryRows() == [3, 1])
    }

    @Test func resumingDoesNotMakeAPersonDiscoverable() throws {
        try session.setDiscoverability(.denied, wording: TestService.wording)
        try account.suspend()
        try account.resume()
        #expect(try store.directoryRows() == [0, 0])
    }

    @Test func erasingDeletesTheRows() throws {
        _ = try account.erase()
        #expect(try store.directoryRows() == [0, 0])
    }

    @Test func removingAnAddressDeletesItsRow() throws {
        try account.removeEmail(ada)
        #expect(try store.directoryRows() == [1, 1])
        #expect(try seek(ada) == nil)
        #expect(try seek(home) != nil)
    }

    @Test func anAddressThatIsNotDiscoverableHasNoRow() throws {
        try account.setEmailDiscoverable(ada, false)
        #expect(try store.directoryRows() == [1, 1])
        #expect(try seek(ada) == nil)
        #expect(try seek(home) != nil)
        try account.setEmailDiscoverable(home, false)
        #expect(try store.directoryRows() == [0, 1], "by ID alone")
        try account.setEmailDiscoverable(ada, true)
        #expect(try seek(ada) != nil)
    }

    @Test func losingAnAddressDeletesItsRow() throws {
        try store.service.transferEmail("ada@example.com", to: store.account("Other"))
        #expect(try store.directoryRows() == [1, 1])
        #expect(try seek(ada) == nil)
    }

    @Test func eachContainerHasSeparateRows() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let there = try chat.session(for: account)
        #expect(try store.directoryRows() == [2, 1])
        try there.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try store.directoryRows() == [4, 2])
        #expect(try store.number("SELECT count(DISTINCT tag) FROM directory") == 4, "tags of one address are unrelated")
        try session.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try store.number("SELECT count(*) FROM directory WHERE container_id = 2") == 2)
        #expect(try store.number("SELECT count(*) FROM directory WHERE container_id = 1") == 0)
        try account.suspend()
        #expect(try store.directoryRows() == [0, 0])
        try account.resume()
        #expect(try store.directoryRows() == [2, 1])
    }

    @Test func aNewNameIsFoundEverywhere() throws {
        let chat = try store.service.createContainer("com.example.chat")
        try chat.session(for: account).setDiscoverability(.granted, wording: TestService.wording)
        try account.setName(PersonName(givenName: "Grace", familyName: "Example"))
        for container in [store.container, chat] {
            let found = try store.session("Seeker", in: container).discover(ada)
            #expect(found?.name == PersonName(givenName: "Grace", familyName: "Example"))
        }
    }

    @Test func aSecondServiceSeesTheRevocationImmediately() throws {
        let elsewhere = try store.reopened()
        let seeker = try elsewhere.container(store.container.name).session(for: elsewhere.createAccount())
        for _ in 0..<20 {
            try session.setDiscoverability(.granted, wording: TestService.wording)
            #expect(try seeker.discover(ada) != nil)
            try session.setDiscoverability(.denied, wording: TestService.wording)
            #expect(try seeker.discover(ada) == nil)
        }
    }

    private func seek(_ email: EmailAddress) throws -> DiscoveredIdentity? {
        try store.session("Seeker").discover(email)
    }

    @Test func aPersonWithADamagedAddressCanStillRevoke() throws {
        let ada = try store.discoverable("Ada", emails: "damaged@example.com")
        let id = try ada.userRecordID()
        _ = try store.service.write { db in
            try db.execute(
                """
                UPDATE emails SET sealed_address = $1
                WHERE account_id = (SELECT account_id FROM users WHERE record_id = $2)
                """,
                .bytes([UInt8](repeating: 0, count: 100)),
                .bytes(id.value.bytes)
            )
        }
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try store.session("Seeker").discover(id) == nil)
        #expect(try store.session("Seeker").discover(EmailAddress("damaged@example.com")) == nil)
    }
}
