import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// An attacker who writes to the store without its key can only cause damage that is detected.
@Suite struct EditedRowsTests {
    private let store: TestService
    private let (ada, bob, eve): (Session, Session, Session)
    private let (adasID, bobsID): (UserRecordID, UserRecordID)

    init() throws {
        store = try TestService(filteredFrom: 1)
        ada = try store.discoverable("Ada", emails: "ada@example.com")
        bob = try store.discoverable("Bob", emails: "bob@example.com")
        eve = try store.session("Eve", emails: "eve@example.com")
        (adasID, bobsID) = (try ada.userRecordID(), try bob.userRecordID())
    }

    /// The three ways to find a person.
    private func searches(_ email: String, _ id: UserRecordID) -> [() throws -> [DiscoveredIdentity]] {
        [
            { [eve] in try [eve.discover(id)].compactMap(\.self) },
            { [eve] in try [eve.discover(EmailAddress(email))].compactMap(\.self) },
            { [eve] in try eve.discover(book("nobody@example.com", email)).identities },
        ]
    }

    /// Expects that nobody finds Ada, and that searches report the reason.
    private func expectAdaIsRefused(_ location: SourceLocation = #_sourceLocation) {
        for search in searches("ada@example.com", adasID) { expect(.storeCorrupt, location) { try search() } }
    }

    private func expectAdasAccountIsRefused(_ location: SourceLocation = #_sourceLocation) throws {
        let account = try Account.handle(ada, store.service)
        expect(.storeCorrupt, location) { try account.name() }
        expect(.storeCorrupt, location) { try account.emails() }
        expect(.storeCorrupt, location) { try account.export() }
        expect(.storeCorrupt, location) { try account.setName(PersonName(givenName: "Other")) }
        expect(.storeCorrupt, location) { try ada.userRecordID() }
        expect(.storeCorrupt, location) { try ada.discoverability() }
        expect(.storeCorrupt, location) { try ada.discover(bobsID) }
        expect(.storeCorrupt, location) { try ada.fetchUserRecord() }
        expect(.storeCorrupt, location) { try ada.block(bobsID) }
        #expect(ada.accountStatus() == .couldNotDetermine, sourceLocation: location)
    }

    private func change(_ sql: StaticString, _ values: Value...) throws {
        let raw = try store.reopened()
        _ = try raw.write { db in try db.changes(sql, for: [values]) { $0 } }
    }

    private func id(of session: Session) throws -> Value { .id(try #require(session.account).value) }

    // MARK: Rows of one account

    @Test(
        arguments: Search.some(
            [
                "UPDATE accounts SET is_suspended = 1 WHERE account_id = $1",
                "UPDATE accounts SET revision = revision + 1 WHERE account_id = $1",
                "UPDATE accounts SET created_at = created_at + 1 WHERE account_id = $1",
                "UPDATE accounts SET digest = mac WHERE account_id = $1",
                "UPDATE emails SET is_discoverable = 0 WHERE account_id = $1",
                "UPDATE emails SET is_discoverable = 2 WHERE account_id = $1",
                "UPDATE emails SET verified_at = verified_at + 1 WHERE account_id = $1",
                "UPDATE emails SET verified_at = NULL WHERE account_id = $1",
                "UPDATE emails SET number = 7 WHERE account_id = $1",
                "DELETE FROM emails WHERE account_id = $1",
                "DELETE FROM verified_emails WHERE account_id = $1",
                "UPDATE consents SET decision = 2 WHERE account_id = $1",
                "UPDATE consents SET decided_at = decided_at - 1 WHERE account_id = $1",
                "UPDATE consents SET wording_id = chain WHERE account_id = $1",
                "UPDATE consents SET number = 2 WHERE account_id = $1",
                "DELETE FROM consents WHERE account_id = $1",
                "DELETE FROM users WHERE account_id = $1",
                "UPDATE users SET created_at = created_at - 86400000000 WHERE account_id = $1",
                "UPDATE users SET roles = 'Editor' WHERE account_id = $1",
                "DELETE FROM accounts WHERE account_id = $1",
            ] as [String]
        )
    )
    func anEditedRowIsDetectedWhenItsAccountIsUsed(_ sql: String) throws {
        let id = try id(of: ada)
        let raw = try store.reopened()
        _ = try raw.write { db in try db.using(composed: sql, [id]) { try $0.enqueue { _ in } } }
        try expectAdasAccountIsRefused()
        // Other people are not affected.
        #expect(try eve.discover(bobsID)?.name.givenName == "Bob")
    }

    // What would give a right that the person, or the operator, has not given.

    @Test func aSuspensionCannotBeLifted() throws {
        try store.account(of: ada).suspend()
        try change("UPDATE accounts SET is_suspended = 0")
        for search in searches("ada@example.com", adasID) { #expect(try search().isEmpty) }
        try expectAdasAccountIsRefused()
    }

    @Test func aRefusalCannotBeChangedIntoAConsent() throws {
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        try change("UPDATE consents SET decision = 1")
        try expectAdasAccountIsRefused()
        #expect(try eve.discover(EmailAddress("ada@example.com")) == nil)
    }

    @Test func aHiddenAddressCannotBeMadeDiscoverable() throws {
        try store.account(of: ada).setEmailDiscoverable(EmailAddress("ada@example.com"), false)
        try change("UPDATE emails SET is_discoverable = 1")
        try expectAdasAccountIsRefused()
        #expect(try eve.discover(EmailAddress("ada@example.com")) == nil)
    }

    @Test func anAddressCannotBeMarkedAsVerified() throws {
        try store.account(of: eve).addEmail("mallory@example.com")
        try change("UPDATE emails SET verified_at = 1 WHERE verified_at IS NULL")
        try change("INSERT INTO verified_emails SELECT tag, account_id FROM emails WHERE verified_at = 1")
        expect(.storeCorrupt) { try store.service.account(email: EmailAddress("mallory@example.com")) }
    }

    @Test func swappedOwnersOfAddressesGiveNoAccountToAnotherPerson() throws {
        try change("DELETE FROM verified_emails WHERE account_id = $1", id(of: eve))
        try change("UPDATE verified_emails SET account_id = $1 WHERE account_id = $2", id(of: eve), id(of: ada))
        let email = try EmailAddress("ada@example.com")
        expect(.storeCorrupt) { try store.service.account(email: email) }
        expect(.unknownItem) { try store.service.account(email: EmailAddress("eve@example.com")) }
        expect(.storeCorrupt) { try store.account(of: bob).addEmail("ada@example.com", verified: true) }
        #expect(try store.service.account(email: EmailAddress("bob@example.com")).id == bob.account)
    }

    @Test func anAddressWhoseOwnerRowWasDeletedGetsNoSecondOwner() throws {
        try change("DELETE FROM verified_emails WHERE account_id = $1", id(of: ada))
        expect(.unknownItem) { try store.service.account(email: EmailAddress("ada@example.com")) }
        try expectAdasAccountIsRefused()
    }

    @Test func swappedUserRecordIDsAreDetected() throws {
        let other = RandomID.make()
        try change("UPDATE users SET record_id = $1 WHERE account_id = $2", .id(other), id(of: ada))
        try change("UPDATE users SET record_id = $1 WHERE account_id = $2", .id(adasID.value), id(of: bob))
        try change("UPDATE users SET record_id = $1 WHERE account_id = $2", .id(bobsID.value), id(of: ada))
        for session in [ada, bob] {
            expect(.storeCorrupt) { try session.userRecordID() }
            expect(.storeCorrupt) { try store.container.session(for: Account.handle(session, store.service)) }
        }
        expect(.storeCorrupt) { try store.container.account(of: adasID, reason: "a report") }
        #expect(try store.service.auditLog().count == 1)
    }

    /// A first session does not change the account's row, so the new row has its own authentication code.
    @Test func aUserRecordIDWithoutADecisionCannotBeChanged() throws {
        let account = try store.account("Zoe")
        let session = try store.container.session(for: account)
        try change("UPDATE users SET record_id = $1 WHERE account_id = $2", .id(.make()), .id(account.id.value))
        expect(.storeCorrupt) { try session.userRecordID() }
        expect(.storeCorrupt) { try store.container.session(for: store.service.account(account.id)) }
    }

    @Test func swappedContainerNamesAreDetected() throws {
        _ = try store.service.createContainer("com.example.chat")
        try change("UPDATE containers SET name = 'com.example.other' WHERE container_id = 1")
        try change("UPDATE containers SET name = 'com.example.notes' WHERE container_id = 2")
        expect(.storeCorrupt) { try store.service.container("com.example.notes") }
        expect(.storeCorrupt) { try store.service.containers() }
    }

    // MARK: Older rows

    @Test func anOlderRowOfAnAccountIsDetected() throws {
        try store.account(of: ada).suspend()
        let id = try id(of: ada)
        try change("CREATE TABLE old AS SELECT * FROM accounts")
        try store.account(of: ada).resume()
        try change("DELETE FROM accounts WHERE account_id = $1", id)
        try change("INSERT INTO accounts SELECT * FROM old WHERE account_id = $1", id)
        // With either value of the suspension the row does not match the account's other rows.
        try store.account(of: bob).suspend()
        try store.account(of: bob).resume()
        expectAdaIsRefused()
    }

    @Test func aDecisionCannotBeReplacedByAnEarlierOne() throws {
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        try change("DELETE FROM consents WHERE account_id = $1 AND number = 2", id(of: ada))
        try expectAdasAccountIsRefused()
    }

    @Test func anEarlierDecisionCannotBeChanged() throws {
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        try ada.setDiscoverability(.granted, wording: TestService.wording)
        try change("UPDATE consents SET decision = 1 WHERE account_id = $1 AND number = 2", id(of: ada))
        expect(.storeCorrupt) { try store.account(of: ada).export() }
    }

    // MARK: The directory

    @Test func anEditedAddressDoesNotLeadToAnotherPerson() throws {
        try change("CREATE TABLE old AS SELECT * FROM directory")
        try change("UPDATE directory SET record_id = $1 WHERE record_id = $2", .id(bobsID.value), .id(adasID.value))
        for search in searches("ada@example.com", bobsID).dropFirst() { expect(.storeCorrupt) { try search() } }
        #expect(try eve.discover(bobsID)?.name.givenName == "Bob")
    }

    @Test func theIdentityOfAnotherPersonIsDetected() throws {
        try change(
            "UPDATE identities SET sealed_identity = (SELECT sealed_identity FROM identities WHERE record_id = $1)",
            .id(bobsID.value)
        )
        expectAdaIsRefused()
    }

    @Test func aRevokedPersonIsNotFoundByOldRows() throws {
        for table in ["directory", "identities", "consents", "accounts"] {
            _ = try store.service.write { db in
                try db.using(composed: "CREATE TABLE old_\(table) AS SELECT * FROM \(table)", []) {
                    try $0.enqueue { _ in }
                }
            }
        }
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        try change("INSERT INTO directory SELECT * FROM old_directory WHERE record_id = $1", .id(adasID.value))
        try change("INSERT INTO identities SELECT * FROM old_identities WHERE record_id = $1", .id(adasID.value))
        expectAdaIsRefused()
        // With the older row of her account she is still found until her account is used: only then is the row compared with her decisions.
        try change("DELETE FROM accounts WHERE account_id = $1", id(of: ada))
        try change("INSERT INTO accounts SELECT * FROM old_accounts WHERE account_id = $1", id(of: ada))
        try expectAdasAccountIsRefused()
    }

    @Test func aSuspendedPersonIsNotFoundByOldRows() throws {
        try change("CREATE TABLE old_directory AS SELECT * FROM directory")
        try change("CREATE TABLE old_identities AS SELECT * FROM identities")
        try store.account(of: ada).suspend()
        try change("INSERT INTO directory SELECT * FROM old_directory WHERE record_id = $1", .id(adasID.value))
        try change("INSERT INTO identities SELECT * FROM old_identities WHERE record_id = $1", .id(adasID.value))
        expectAdaIsRefused()
    }

    @Test func aHiddenAddressIsNotRestoredByOldRows() throws {
        try change("CREATE TABLE old_directory AS SELECT * FROM directory")
        try store.account(of: ada).setEmailDiscoverable(EmailAddress("ada@example.com"), false)
        try change("INSERT INTO directory SELECT * FROM old_directory WHERE record_id = $1", .id(adasID.value))
        for search in searches("ada@example.com", adasID).dropFirst() { expect(.storeCorrupt) { try search() } }
    }

    /// If the identity is deleted together with the row of the directory, nobody is found.
    @Test func aDirectoryRowWithoutAnIdentityIsDetected() throws {
        try change("DELETE FROM identities WHERE record_id = $1", .id(adasID.value))
        for search in searches("ada@example.com", adasID).dropFirst() { expect(.storeCorrupt) { try search() } }
        #expect(try eve.discover(adasID) == nil)
    }

    @Test func aDirectoryIsNotBuiltFromEditedRows() throws {
        let shy = try store.account(of: ada)
        try shy.addEmail("shy@example.com", verified: true)
        try shy.setEmailDiscoverable(EmailAddress("shy@example.com"), false)
        try change("UPDATE emails SET is_discoverable = 1 WHERE account_id = $1", id(of: ada))
        expect(.storeCorrupt) { try store.container.setDirectoryModes([.hashed, .private]) }
    }

    // MARK: Blocks

    @Test func aBlockStillHidesAfterItsRowWasDeleted() throws {
        try ada.block(eve.userRecordID())
        try change("DELETE FROM blocks")
        for search in searches("ada@example.com", adasID) { #expect(try search().isEmpty) }
        try expectAdasAccountIsRefused()
    }

    @Test func aDeletedBlockIsDetectedForThePersonWhoMadeIt() throws {
        try eve.block(adasID)
        try change("DELETE FROM blocks")
        for search in searches("ada@example.com", adasID) { expect(.storeCorrupt) { try search() } }
    }

    @Test func editsOfTheOperatorsBlocksAreDetectedToo() throws {
        try store.container.block(eve.userRecordID(), from: adasID)
        try change("DELETE FROM blocks")
        for search in searches("ada@example.com", adasID) { #expect(try search().isEmpty) }
        try expectAdasAccountIsRefused()
    }

    @Test func aPersonsBlockIsNotShownToTheOperator() throws {
        try ada.block(eve.userRecordID())
        try store.container.block(adasID, from: bobsID)
        #expect(try store.container.operatorBlocks().count == 1)
        try change("UPDATE blocks SET is_operators = 1")
        expect(.storeCorrupt) { try store.container.operatorBlocks() }
    }

    @Test func anOperatorsBlockOfAnIDThatNobodyHasIsListed() throws {
        let nobody = UserRecordID(.make())
        try store.container.block(adasID, from: nobody)
        #expect(try store.container.operatorBlocks().map(\.otherUserRecordID) == [nobody])
        // A listed block can be ended, whatever its row contains.
        try change("UPDATE blocks SET is_operators = 2")
        #expect(try store.container.operatorBlocks().map(\.otherUserRecordID) == [nobody])
        try store.container.unblock(adasID, from: nobody)
        #expect(try store.container.operatorBlocks().isEmpty)
    }

    // MARK: What must go on

    @Test func aPersonWithEditedRowsCanBeErased() throws {
        try change("UPDATE emails SET is_discoverable = 0 WHERE account_id = $1", id(of: ada))
        let account = try Account.handle(ada, store.service)
        try account.suspend()
        expect(.storeCorrupt) { try account.resume() }
        #expect(try eve.discover(adasID) == nil)
        #expect(try eve.discover(EmailAddress("ada@example.com")) == nil)
        _ = try account.erase()
        #expect(try store.number("SELECT count(*) FROM accounts") == 2)
        #expect(try store.directoryRows() == [1, 1])
    }

    @Test func erasingABlockedPersonDoesNotHarmTheBlocker() throws {
        try ada.block(eve.userRecordID())
        try store.container.block(eve.userRecordID(), from: bobsID)
        _ = try store.account(of: eve).erase()
        #expect(try ada.blockedUserRecordIDs().isEmpty)
        #expect(try ada.discover(bobsID)?.name.givenName == "Bob")
        #expect(try bob.discover(adasID)?.name.givenName == "Ada")
    }

    /// Observers of an account are not notified of a block, because a block must not be detectable.
    @Test func aBlockDoesNotNotifyObservers() throws {
        let changes = try store.number("SELECT sum(changes) FROM accounts")
        try ada.block(eve.userRecordID())
        try ada.unblock(eve.userRecordID())
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try store.number("SELECT sum(changes) FROM accounts") == changes)
    }

    @Test func aRotationAuthenticatesAllRowsAgain() throws {
        try ada.block(eve.userRecordID())
        _ = try store.service.rotateKeys()
        let service = try store.reopened()
        let count = try service.read { db in try AccountRows.verifyAll(with: service.keys(db), db) }
        #expect(count == 3)
        #expect(try service.read(service.keys).epochs.count == 1)
        #expect(try ada.discover(bobsID)?.name.givenName == "Bob")
    }

    @Test func aRotationDoesNotAuthenticateEditedRows() throws {
        try change("UPDATE emails SET is_discoverable = 0 WHERE account_id = $1", id(of: ada))
        expect(.storeCorrupt) { try store.service.rotateKeys() }
        try expectAdasAccountIsRefused()
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func copyingEditedRowsFails() throws {
        try change("UPDATE emails SET is_discoverable = 0 WHERE account_id = $1", id(of: ada))
        let copy = store.folder.file("copy.db")
        expect(.storeCorrupt) { try store.service.copy(to: copy) }
        expect(.serviceUnavailable) { try Service.open(copy, key: .file(TemporaryFolder.keyPath(of: store.path))) }
    }
}

extension Account {
    /// Opens an account without reading it.
    fileprivate static func handle(_ session: Session, _ service: Service) throws -> Account {
        Account(service: service, id: try #require(session.account))
    }
}
