import Foundation
import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct KeyRotationTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    private func people(_ count: Int) throws -> [Session] {
        try (0..<count).map { try store.discoverable("Person \($0)", emails: "person\($0)@example.com") }
    }

    private func everybody(_ count: Int) throws -> ContactBook {
        var book = ContactBook()
        for number in 0..<count { try book.add(email: "person\(number)@example.com") }
        return book
    }

    /// The IDs of the keys of all sealed values: the first bytes of each.
    private func keyIDs() throws -> Set<[UInt8]> {
        try store.service.read { db in
            var ids: Set<[UInt8]> = []
            for sql in [
                "SELECT sealed_name FROM accounts", "SELECT sealed_address FROM emails",
                "SELECT sealed_identity FROM identities", "SELECT sealed_fields FROM records",
                "SELECT sealed_wording FROM wordings", "SELECT sealed_key FROM container_keys",
                "SELECT sealed_key FROM root_keys", "SELECT sealed_reason FROM audit",
            ] as [StaticString] {
                ids.formUnion(try db.all(sql) { Array($0.bytes(0).prefix(4)) })
            }
            return ids
        }
    }

    /// Tags of all kinds.
    private func tags() throws -> Set<[UInt8]> {
        try store.service.read { db in
            var tags: Set<[UInt8]> = []
            for sql in [
                "SELECT tag FROM emails", "SELECT tag FROM verified_emails", "SELECT tag FROM verification_codes",
                "SELECT tag FROM email_claims",
                "SELECT tag FROM directory", "SELECT wording_id FROM wordings", "SELECT wording_id FROM consents",
            ] as [StaticString] {
                tags.formUnion(try db.all(sql) { $0.bytes(0) })
            }
            return tags
        }
    }

    @Test func allValuesAreResealedAndReindexedAndReadAsBefore() throws {
        let people = try people(230)
        let ada = people[0]
        var record = try ada.fetchUserRecord()
        try record.set("note", to: .string("Hello"))
        record = try ada.save(record)
        _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket 12")
        try seeker.block(people[1].userRecordID())
        let account = try store.account(of: ada)
        try account.addEmail("second@example.org")
        let code = try store.mail(account, EmailAddress("second@example.org")).code
        let found = try seeker.discover(everybody(230))
        let export = try account.export()
        let before = (ids: try keyIDs(), tags: try tags(), key: try bytes(of: store.folder.file("kinfolk.key")))

        var steps: [Int] = []
        let rotation = try store.service.rotateKeys { steps.append($0.accounts) }
        #expect(rotation.accounts == 231)
        #expect(steps.first == 100 && steps.last == 231)
        #expect(steps == steps.sorted())
        #expect(rotation.oldKeyPath == store.folder.file("kinfolk.key.1"))

        #expect(try keyIDs().isDisjoint(with: before.ids))
        #expect(try tags().isDisjoint(with: before.tags))
        #expect(try bytes(of: store.folder.file("kinfolk.key")) != before.key)
        #expect(try bytes(of: store.folder.file("kinfolk.key.1")) == before.key)
        #expect(try mode(of: store.folder.file("kinfolk.key")) == 0o600)

        for service in [store.service, try store.reopened()] {
            let container = try service.container("com.example.notes")
            let seeker = try container.session(for: service.account(email: EmailAddress("seeker@example.com")))
            let again = try seeker.discover(everybody(230), syncState: found.syncState)
            #expect(again.identities == found.identities)
            #expect(again.identities.count == 229)
            let same = try container.session(for: service.account(account.id))
            #expect(try same.fetchUserRecord()["note"] == .string("Hello"))
            #expect(try same.fetchUserRecord().changeTag == record.changeTag)
            #expect(try service.account(account.id).export() == export)
            #expect(try service.auditLog().map(\.reason) == ["Ticket 12"])
        }
        let permits = try seeker.permitsLeft()
        _ = try seeker.discover(everybody(230), syncState: found.syncState)
        #expect(try seeker.permitsLeft() == permits, "sync states outlive a rotation")
        #expect(try account.verifyEmail(EmailAddress("second@example.org"), code: code) == .verified)
    }

    @Test func severalRotationsFollowOneAnother() throws {
        _ = try people(3)
        let state = try seeker.discover(everybody(3)).syncState
        for epoch in 1...3 {
            #expect(try store.service.rotateKeys().oldKeyPath == store.folder.file("kinfolk.key.\(epoch)"))
        }
        let permits = try seeker.permitsLeft()
        #expect(try seeker.discover(everybody(3), syncState: state).identities.count == 3)
        #expect(try seeker.permitsLeft() == permits)
        #expect(try store.number("SELECT count(*) FROM root_keys") == 1)
        #expect(try store.number("SELECT count(*) FROM container_keys") == 1)
    }

    private struct Interrupted: Error {}

    /// Leaves a rotation as a killed process does, after some batches.
    private func interrupt(after batches: Int) throws {
        let service = try store.reopened()
        _ = try service.beginRotation(to: nil)
        for _ in 0..<batches { _ = try service.rotateBatch() }
    }

    /// A wording may name a person, who can be erased before the rotation ends.
    @Test func aHalfRotatedStoreKeepsOnlyWordingsOfDecisions() throws {
        for (number, session) in try people(3).enumerated() {
            let wording = ConsentWording("May others find you, Person \(number)?", version: "2")
            try session.setDiscoverability(.granted, wording: wording)
        }
        try interrupt(after: 1)
        #expect(try store.number("SELECT count(DISTINCT wording_id) FROM consents") == 4)
        #expect(try store.number("SELECT count(*) FROM wordings") == 4)
    }

    @Test(arguments: [0, 1, 2]) func aHalfRotatedStoreAnswersAsBefore(batches: Int) throws {
        let people = try people(150)
        let code = try store.account("Newcomer")
        try code.addEmail("new@example.com")
        let issued = try store.mail(code, EmailAddress("new@example.com")).code
        try code.addEmail("vouched@example.com")
        let found = try seeker.discover(everybody(150))
        try interrupt(after: batches)

        // A service that was open before, and a new one.
        for service in [store.service, try store.reopened()] {
            let container = try service.container("com.example.notes")
            let seeker = try container.session(for: service.account(email: EmailAddress("seeker@example.com")))
            #expect(try seeker.discover(everybody(150)).identities == found.identities)
            #expect(try seeker.discover(everybody(150), syncState: found.syncState).identities == found.identities)
            for number in [0, 75, 149] {
                #expect(try seeker.discover(EmailAddress("person\(number)@example.com")) != nil)
                #expect(try service.account(email: EmailAddress("person\(number)@example.com")).emails().count == 1)
            }
        }
        // All calls that change indexed data.
        try people[0].setDiscoverability(.denied, wording: TestService.wording)
        try store.account(of: people[1]).suspend()
        _ = try store.account(of: people[2]).erase()
        try store.account(of: people[3]).removeEmail(EmailAddress("person3@example.com"))
        try store.account(of: people[4]).setEmailDiscoverable(EmailAddress("person4@example.com"), false)
        try store.account(of: people[5]).setName(PersonName(givenName: "Changed"))
        try store.service.transferEmail("person6@example.com", to: store.account("Taker"))
        try store.account(of: people[7]).addEmail("PERSON7@example.com", verified: true)
        #expect(try store.account(of: people[7]).emails().count == 1)
        #expect(try code.verifyEmail(EmailAddress("new@example.com"), code: issued) == .verified)
        try code.addEmail("vouched@example.com", verified: true)
        #expect(try code.emails().map(\.isVerified) == [true, true])
        let late = try store.discoverable("Late", emails: "late@example.com")

        func check() throws {
            let names = try seeker.discover(everybody(150)).identities.map(\.name.givenName)
            #expect(names == ["Changed"] + (7..<150).map { "Person \($0)" })
            #expect(try seeker.discover(EmailAddress("late@example.com"))?.userRecordID == late.userRecordID())
        }
        try check()
        _ = try store.service.rotateKeys()
        try check()
        #expect(try store.number("SELECT count(*) FROM root_keys") == 1)
        #expect(try keyIDs().count == 3, "the service key, the epoch's and the container's")
    }

    @Test func aKilledRotationIsResumed() throws {
        _ = try people(350)
        let oldKey = try bytes(of: store.folder.file("kinfolk.key"))
        for _ in 0..<3 {
            let probe = try Probe("rotate", store.path)
            #expect(probe.line() == "100")
            probe.kill()
        }
        #expect(try seeker.discover(everybody(350)).identities.count == 350)
        let rotation = try store.reopened().rotateKeys()
        #expect(rotation.accounts < 350)
        #expect(rotation.oldKeyPath == store.folder.file("kinfolk.key.1"))
        #expect(try seeker.discover(everybody(350)).identities.count == 350)
        #expect(try bytes(of: store.folder.file("kinfolk.key.1")) == oldKey)
        expect(.keyMismatch) { try Service.open(store.path, key: .file(store.folder.file("kinfolk.key.1"))) }
    }

    @Test func theOldKeyOpensTheStoreUntilTheRotationEnds() throws {
        _ = try people(120)
        try interrupt(after: 1)
        let old = KeySource.file(store.folder.file("kinfolk.key.1"))
        _ = try Service.open(store.path, key: old)
        _ = try store.service.rotateKeys()
        expect(.keyMismatch) { try Service.open(store.path, key: old) }
    }

    @Test func theOldKeyIsRefusedAsTheNewKeyDuringARotation() throws {
        _ = try people(120)
        try interrupt(after: 1)
        let old = KeySource.file(store.folder.file("kinfolk.key.1"))
        expect(.invalidArgument) { try store.service.rotateKeys(to: old) }
        _ = try store.service.rotateKeys()
        expect(.keyMismatch) { try Service.open(store.path, key: old) }
    }

    @Test func anInterruptedRotationToAnotherKeyMayEndInTheKeyFile() throws {
        _ = try people(120)
        let old = try bytes(of: store.folder.file("kinfolk.key"))
        let elsewhere = KeySource.file(store.folder.file("elsewhere"))
        let service = try store.reopened()
        _ = try service.beginRotation(to: elsewhere)
        _ = try service.rotateBatch()
        #expect(try store.reopened().rotateKeys().oldKeyPath == store.folder.file("kinfolk.key.1"))
        #expect(try bytes(of: store.folder.file("kinfolk.key.1")) == old)
        #expect(try bytes(of: store.folder.file("kinfolk.key")) != old)
        for gone in [elsewhere, .file(store.folder.file("kinfolk.key.1"))] {
            expect(.keyMismatch) { try Service.open(store.path, key: gone) }
        }
        _ = try store.reopened()
    }

    @Test func anExistingFileInThePlaceOfTheOldKeyDoesNotLoseTheKey() throws {
        let key = try bytes(of: store.folder.file("kinfolk.key"))
        let stranger = Data("the key of another store".utf8)
        try stranger.write(to: URL(fileURLWithPath: store.folder.file("kinfolk.key.1")))
        #expect(try store.service.rotateKeys().oldKeyPath == store.folder.file("kinfolk.key.1-2"))
        #expect(try bytes(of: store.folder.file("kinfolk.key.1")) == stranger)
        #expect(try bytes(of: store.folder.file("kinfolk.key.1-2")) == key)
    }

    @Test func concurrentRotationsAllSucceed() throws {
        _ = try people(120)
        let services = try (0..<4).map { _ in try store.reopened() }
        for _ in 0..<5 { try onThreads(4) { thread in _ = try services[thread].rotateKeys() } }
        #expect(try store.number("SELECT count(*) FROM root_keys") == 1)
        #expect(try !store.folder.names().contains("kinfolk.key.new"))
        #expect(try store.reopened().accounts(limit: 1_000).count == 121)
    }

    @Test func anIdleServiceReadsTheNewKeyFromItsFile() throws {
        _ = try people(2)
        let idle = try store.reopened()
        let busy = try store.reopened()
        _ = try busy.rotateKeys()
        _ = try busy.rotateKeys()
        let session = try idle.container("com.example.notes")
            .session(for: idle.account(email: EmailAddress("seeker@example.com")))
        #expect(try session.discover(everybody(2)).identities.count == 2)
    }

    @Test func aKeyOfTheHostIsReplacedByAnother() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("kinfolk.db")
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let service = try Service.open(path, key: .bytes(first))
        let idle = try Service.open(path, key: .bytes(first))
        let id = try service.createAccount(name: PersonName(givenName: "Ada")).id
        expect(.invalidArgument) { try service.rotateKeys() }
        expect(.invalidArgument) { try service.rotateKeys(to: .bytes(first)) }
        expect(.invalidArgument) { try service.rotateKeys(to: .bytes([1, 2, 3])) }
        #expect(try service.rotateKeys(to: .bytes(second)).oldKeyPath == nil)
        #expect(try service.account(id).name().givenName == "Ada")
        expect(.keyMismatch) { try Service.open(path, key: .bytes(first)) }
        #expect(try Service.open(path, key: .bytes(second)).account(id).name().givenName == "Ada")
        expect(.keyMismatch) { try idle.account(id).name() }
        #expect(try !folder.names().contains { $0.contains("key") })
    }

    @Test func discoveryWorksDuringARotation() throws {
        _ = try people(300)
        let seeker = seeker
        let service = store.service
        let book = try everybody(300)
        let other = try store.reopened()
        try onThreads(4) { thread in
            if thread == 0 {
                _ = try other.rotateKeys()
                _ = try other.rotateKeys()
            } else if thread == 1 {
                for number in 0..<60 {
                    try service.createAccount().addEmail("late\(number)@example.com", verified: true)
                }
            } else {
                for _ in 0..<30 {
                    let found = try seeker.discover(book).identities.count
                    guard found == 300 else { throw Missing(found: found) }
                }
            }
        }
        #expect(try store.number("SELECT count(*) FROM root_keys") == 1)
        for number in 0..<60 { _ = try service.account(email: EmailAddress("late\(number)@example.com")) }
    }

    private struct Missing: Error { let found: Int }

    @Test func aValueThatDoesNotOpenStopsTheRotationAndNothingIsLost() throws {
        _ = try people(3)
        _ = try store.service.write { db in
            try db.execute(
                "UPDATE emails SET sealed_address = substr(sealed_address, 1, 30) || $1 WHERE number = 1",
                .bytes([UInt8](repeating: 0, count: 70))
            )
        }
        expect(.storeCorrupt) { try store.service.rotateKeys() }
        #expect(try store.number("SELECT count(*) FROM root_keys") > 1)
        _ = try store.reopened()
    }
}
