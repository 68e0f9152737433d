import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Stores of earlier versions: this version opens them, brings them to its schema, and finds everything in them.
@Suite struct OlderStoreTests {
    private static let notes = "com.example.notes"

    @Test func theStoresOfEachVersionAreThere() {
        let expected = TemporaryFolder.hasFiles ? ["file of 0.1.0", "passphrase of 0.1.0"] : ["server of 0.1.0"]
        #expect(OlderStore.all.map(\.testDescription).starts(with: expected))
    }

    @Test(arguments: OlderStore.all) func everythingInItIsFound(_ store: OlderStore) throws {
        let placed = try store.placed()
        let service = try placed.open()
        // A table that a later version adds has no rows in an older store.
        #expect(placed.content.observation.tables.filter { $0.value == 0 }.isEmpty)
        try placed.expectObservation(service)
        try placed.expectRecords(service)
        try placed.expectSearches(service)
        #expect(try service.check().findings == [])
    }

    @Test(arguments: OlderStore.quick) func itOpensLaterToo(_ store: OlderStore) throws {
        let placed = try store.placed()
        for _ in 0..<2 {
            let service = try placed.openToday()
            try placed.expectRecords(service)
            try placed.expectSearches(service)
            #expect(try service.check().findings == [])
        }
    }

    @Test func aStoreOfAnEarlierVersionGetsGrantsAndRoles() throws {
        let placed = try #require(OlderStore.quick.first).placed()
        let service = try placed.open()
        let container = try #require(try service.containers().first)
        let account = try #require(try service.accounts().first { try !$0.isSuspended() })
        try container.applySchema(
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Users (GRANT READ TO Editor, GRANT WRITE TO \"_creator\");"
        )
        let session = try container.session(for: account)
        expect(.unknownItem) { try session.fetchUserRecord() }
        try container.grantRole("Editor", to: account)
        _ = try session.fetchUserRecord()
        #expect(try service.check().isSound)
    }

    @Test(arguments: OlderStore.quick) func contactsThatWerePaidForStayPaidFor(_ store: OlderStore) throws {
        let placed = try store.placed()
        let session = try placed.session("Ada", in: OlderStoreTests.notes, placed.open())
        let states = placed.content.clientStates
        var book = ContactBook()
        for address in states.addresses { try book.add(email: address) }
        let permits = try session.permitsLeft()
        #expect(try session.discover(book, syncState: Array(states.hashed)).identities.count == 2)
        #expect(try session.permitsLeft() == permits)
        let found = try session.discoverPrivately(book, state: Array(states.isPrivate), threads: 1)
        #expect(found.identities.count == 2)
        #expect(try session.permitsLeft() == permits)
    }

    @Test(arguments: OlderStore.quick) func whatWasBegunIsFinished(_ store: OlderStore) throws {
        let placed = try store.placed()
        let service = try placed.open()
        for code in placed.content.codes {
            let verification = try placed.account(code.person, service)
                .verifyEmail(EmailAddress(code.address), code: code.code)
            #expect(verification == .verified)
        }
        let claim = try #require(service.emailClaims().first)
        let noticed = try service.acknowledgeNotice(of: claim.id)
        let end = try #require(noticed.completableAt)
        #expect(try end.seconds(since: placed.clock.now) == service.claimWait())
        #expect(try service.check().findings == [])
    }

    @Test(arguments: OlderStore.all) func itsKeysAreRotatedTwice(_ store: OlderStore) throws {
        let placed = try store.placed()
        var key = placed.key
        for number in 0..<2 {
            if placed.content.key.passphrase == nil {
                _ = try placed.open(key: key).rotateKeys()
            } else {
                let next = KeySource.passphrase("phrase \(number)")
                _ = try placed.open(key: key).rotateKeys(to: next)
                key = next
            }
            let service = try placed.open(key: key)
            #expect(try service.check().tables.first { $0.name == "root_keys" }?.rows == 1)
            try placed.expectRecords(service)
            try placed.expectSearches(service)
            #expect(try service.check().findings == [])
        }
    }

    @Test(arguments: OlderStore.quick) func aPersonInItIsErased(_ store: OlderStore) throws {
        let placed = try store.placed()
        let service = try placed.open()
        let grace = try placed.account("Grace", service)
        #expect(try grace.erase().containers == 1)
        expect(.unknownItem) { try placed.account("Grace", service) }
        let ada = try placed.session("Ada", in: OlderStoreTests.notes, service)
        #expect(try ada.discover(EmailAddress("grace@example.org")) == nil)
        #expect(try service.emailClaims().isEmpty)
        try placed.expectSearches(service, without: "Grace")
        #expect(try service.check().findings == [])
    }

    @Test(arguments: OlderStore.quick) func itIsChangedLikeANewStore(_ store: OlderStore) throws {
        let placed = try store.placed()
        let service = try placed.open()
        let container = try service.container(OlderStoreTests.notes)
        let account = try service.createAccount(name: PersonName(givenName: "Rosalind"))
        try account.addEmail("rosalind@example.com", verified: true)
        let session = try container.session(for: account)
        try session.setDiscoverability(.granted, wording: ConsentWording("Now?", version: "2"))
        let ada = try placed.session("Ada", in: container.name, service)
        #expect(try ada.discover(EmailAddress("rosalind@example.com"))?.userRecordID == session.userRecordID())
        let grace = try placed.session("Grace", in: container.name, service)
        for blocked in try grace.blockedUserRecordIDs() { try grace.unblock(blocked) }
        #expect(try grace.discover(EmailAddress("alan@example.com")) != nil)
        let kurt = try placed.account("Kurt", service)
        try kurt.resume()
        #expect(try ada.discover(EmailAddress("kurt@example.com")) != nil)
        var record = try ada.fetchUserRecord()
        try record.set("f_string", to: .string("new"))
        #expect(try ada.save(record)["f_string"] == .string("new"))
        _ = try service.deleteContainer("com.example.chess")
        #expect(try service.check().findings == [])
    }

    @Test(arguments: OlderStore.quick) func aCopyOfItIsComplete(_ store: OlderStore) throws {
        let placed = try store.placed()
        for copy in [placed.folder.store("copy.db"), placed.folder.file("file.db")] {
            _ = try placed.open().copy(to: copy)
            let service = try placed.open(copy)
            try placed.expectObservation(service)
            try placed.expectSearches(service)
            #expect(try service.check().findings == [])
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: OlderStore.quick)
    func aBackupThatAnEarlierVersionMadeIsRestored(_ store: OlderStore) throws {
        let placed = try store.placed()
        let restored = placed.folder.file("restored.db")
        #expect(try Service.restore(restored, from: placed.path, key: placed.key).isSound)
        let service = try placed.open(restored)
        try placed.expectObservation(service)
        let backup = placed.folder.file("backup.db")
        try service.backUp(to: backup)
        try placed.expectSearches(placed.open(backup))
    }

    @Test(arguments: OlderStore.quick) func itsSchemaBecomesThatOfANewStore(_ store: OlderStore) throws {
        let placed = try store.placed()
        let new = try TestService()
        #expect(try placed.open().read(SchemaText.of) == new.service.read(SchemaText.of))
    }
}
