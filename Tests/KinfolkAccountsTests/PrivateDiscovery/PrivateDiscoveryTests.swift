import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct PrivateDiscoveryTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes([.hashed, .private])
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    private func found(_ emails: String...) throws -> [String] {
        try seeker.discoverPrivately(book(emails)).identities.map(\.name.givenName)
    }

    @Test func aBookFindsTheSamePeopleAsTheHashedDirectory() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com", "ada@example.org")
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        _ = try store.session("Cleo", emails: "cleo@example.com")
        var book = ContactBook()
        try book.add(email: "nobody@example.com", label: "Nobody")
        try book.add(email: "ada@example.org", label: "Ada at home")
        try book.add(email: "cleo@example.com", label: "Cleo")
        try book.add(email: "bob@example.com", label: "Bob")
        try book.add(email: "Ada@Example.com", label: "Ada at work")
        try book.add(email: "seeker@example.com", label: "Me")
        let hashed = try seeker.discover(book).identities
        #expect(hashed.count == 2)
        #expect(try seeker.discoverPrivately(book).identities == hashed)
    }

    @Test func theDirectoryFollowsEachChange() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let account = try store.service.account(email: EmailAddress("ada@example.com"))
        #expect(try found("ada@example.com") == ["Ada"])

        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try found("ada@example.com") == [])
        try ada.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try found("ada@example.com") == ["Ada"])

        try account.suspend()
        #expect(try found("ada@example.com") == [])
        try account.resume()
        #expect(try found("ada@example.com") == ["Ada"])

        try account.addEmail("ada@example.org")
        #expect(try found("ada@example.org") == [])
        try store.prove(account, EmailAddress("ada@example.org"))
        #expect(try found("ada@example.org") == ["Ada"])
        try account.setEmailDiscoverable(EmailAddress("ada@example.org"), false)
        #expect(try found("ada@example.org") == [])
        try account.removeEmail(EmailAddress("ada@example.com"))
        #expect(try found("ada@example.com") == [])

        try account.setEmailDiscoverable(EmailAddress("ada@example.org"), true)
        #expect(try found("ada@example.org") == ["Ada"])
        #expect(try store.container.privateEpochs().map(\.rowCount) == [1])
        _ = try account.erase()
        #expect(try found("ada@example.org") == [])
        #expect(try store.container.privateEpochs().map(\.rowCount) == [0])
    }

    @Test func aTransferredAddressLeadsToItsNewOwner() throws {
        _ = try store.discoverable("Ada", emails: "shared@example.com")
        let bob = try store.discoverable("Bob", emails: "shared@example.com")
        #expect(try found("shared@example.com") == ["Ada"])
        try store.service.transferEmail("shared@example.com", to: store.account(of: bob))
        #expect(try found("shared@example.com") == ["Bob"])
    }

    @Test func blocksHideBothPeopleAndDoNotShowInVersions() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        try ada.block(seeker.userRecordID())
        try seeker.block(bob.userRecordID())
        #expect(try found("ada@example.com", "bob@example.com") == [])
        try ada.unblock(seeker.userRecordID())
        #expect(try found("ada@example.com", "bob@example.com") == ["Ada"])
    }

    @Test(arguments: [0, 1, 8]) func nobodyFindsThemself(prefixBits: Int) throws {
        try store.container.setPrefixBits(prefixBits)
        let emails = (0..<8).map { "dan.\($0)@example.com" }
        let dan = try store.discoverable("Dan", emails: emails[0])
        let account = try store.service.account(email: EmailAddress(emails[0]))
        for email in emails.dropFirst() {
            try account.addEmail(email)
            try store.prove(account, EmailAddress(email))
        }
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        let contacts = try book(emails + ["bob@example.com"])
        #expect(try dan.discoverPrivately(contacts).identities.map(\.name.givenName) == ["Bob"])
        try dan.block(bob.userRecordID())
        #expect(try dan.discoverPrivately(contacts).identities == [])
        #expect(try bob.discoverPrivately(contacts).identities == [])
        #expect(try seeker.discoverPrivately(contacts).identities.map(\.name.givenName) == ["Dan", "Bob"])
    }

    @Test func aSecondDiscoveryCostsNothingAndSeesChanges() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let contacts = try book(["ada@example.com", "bob@example.com"])
        let first = try seeker.discoverPrivately(contacts)
        let left = try seeker.permitsLeft()
        #expect(left == PermitLimit.standard.capacity - 64)
        let second = try seeker.discoverPrivately(contacts, state: first.syncState)
        #expect(second.identities.map(\.name.givenName) == ["Ada"])
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        let third = try seeker.discoverPrivately(contacts, state: second.syncState)
        #expect(third.identities.map(\.name.givenName) == ["Bob"])
        #expect(try seeker.permitsLeft() == left)
    }

    @Test func newContactsArePaidForInBatches() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let first = try seeker.discoverPrivately(book(["bob@example.com"]))
        let second = try seeker.discoverPrivately(
            book(["bob@example.com", "ada@example.com"]),
            state: first.syncState
        )
        #expect(second.identities.map(\.name.givenName) == ["Ada"])
        #expect(try seeker.permitsLeft() == PermitLimit.standard.capacity - 128)
        // A removed contact is not found. If it is added again, it is still paid for.
        let third = try seeker.discoverPrivately(book(["bob@example.com"]), state: second.syncState)
        #expect(third.identities == [])
        let fourth = try seeker.discoverPrivately(book(["ada@example.com"]), state: third.syncState)
        #expect(fourth.identities.map(\.name.givenName) == ["Ada"])
        #expect(try seeker.permitsLeft() == PermitLimit.standard.capacity - 128)
    }

    @Test func aNewEpochTakesOverAndRenewsPaidContacts() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let contacts = try book(["ada@example.com", "bob@example.com"])
        let first = try seeker.discoverPrivately(contacts)
        let left = try seeker.permitsLeft()
        let old = try store.container.privateEpochs()
        let new = try store.container.renewPrivateKey()
        #expect(new.number == 2 && new.isComplete && new.rowCount == 1)
        #expect(try store.container.privateEpochs().map(\.number) == [2, 1])
        #expect(new.publicKey != old.first?.publicKey)
        try store.container.endPrivateEpochs(before: 2)
        #expect(try store.container.privateEpochs().map(\.number) == [2])

        let second = try seeker.discoverPrivately(contacts, state: first.syncState)
        #expect(second.identities.map(\.name.givenName) == ["Ada"])
        #expect(try seeker.permitsLeft() == left)
        // Without the state nothing shows that it was paid for.
        _ = try seeker.discoverPrivately(contacts)
        #expect(try seeker.permitsLeft() == left - 64)
    }

    @Test func aContainerMayBePrivateOnly() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        try store.container.setDirectoryModes(.private)
        #expect(try store.container.directoryModes() == .private)
        expect(.permissionFailure) { try seeker.discover(EmailAddress("ada@example.com")) }
        expect(.permissionFailure) { try seeker.discover(book(["ada@example.com"])) }
        #expect(try seeker.permitsLeft() == PermitLimit.standard.capacity)
        #expect(try found("ada@example.com") == ["Ada"])
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        #expect(try found("ada@example.com", "bob@example.com") == ["Ada", "Bob"])

        try store.container.setDirectoryModes(.hashed)
        #expect(try store.container.directoryModes() == .hashed)
        let contacts = try book(["ada@example.com", "bob@example.com"])
        #expect(try seeker.discover(contacts).identities.map(\.name.givenName) == ["Ada", "Bob"])
        expect(.unknownItem) { try seeker.discoverPrivately(contacts) }
        // The next epoch has a new number, so that clients do not know it with another key.
        try store.container.setDirectoryModes([.hashed, .private])
        #expect(try store.container.privateEpochs().map(\.number) == [2])
    }

    private func book(_ emails: [String]) throws -> ContactBook {
        var book = ContactBook()
        for email in emails { try book.add(email: email) }
        return book
    }
}
