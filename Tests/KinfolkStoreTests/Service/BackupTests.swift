import Foundation
import Glibc
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct BackupTests {
    private let store: TestService
    private let copy: String

    init() throws {
        store = try TestService()
        copy = store.folder.file("copy.db")
    }

    /// The copy, opened with the key of the store.
    private func restored() throws -> Service {
        try Service.open(copy, key: .file(store.folder.file("kinfolk.key")), existingOnly: true)
    }

    @Test func aBackupHasEverythingAndOpensWithTheKey() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let seeker = try store.session("Seeker")
        try store.service.backUp(to: copy)
        _ = try store.account(of: ada).erase()
        let service = try restored()
        let container = try service.container("com.example.notes")
        let session = try container.session(for: service.account(#require(seeker.account)))
        #expect(try session.discover(EmailAddress("ada@example.com"))?.name.givenName == "Ada")
        #expect(try service.account(#require(ada.account)).export().contains("ada@example.com"))
        #expect(try RawDatabase(copy).value("PRAGMA integrity_check") == "ok")
        #expect(try mode(of: copy) == 0o600)
        #expect(try store.folder.names().filter { $0.hasPrefix("copy.db.") }.isEmpty)
    }

    @Test func theKeyIsNotInTheBackup() throws {
        try store.service.backUp(to: copy)
        expect(.keyMismatch) { try Service.open(copy, existingOnly: true) }
    }

    @Test func aBackupIsASnapshotWhileOthersWrite() throws {
        let path = store.path
        let isDone = Flag()
        let copies = (0..<5).map { store.folder.file("copy\($0).db") }
        let service = store.service
        try onThreads(3) { thread in
            if thread == 0 {
                for copy in copies { try service.backUp(to: copy) }
                isDone.set()
            } else {
                // Each account is made with its address in one transaction: a copy has both or neither.
                let service = try Service.open(path)
                var number = 0
                while !isDone.isSet {
                    _ = try service.createAccount(
                        name: PersonName(),
                        emails: ["p\(thread)-\(number)@example.com"],
                        verified: true
                    )
                    number += 1
                }
            }
        }
        for copy in copies {
            let database = try RawDatabase(copy)
            #expect(try database.value("PRAGMA integrity_check") == "ok")
            let accounts = try database.value("SELECT count(*) FROM accounts")
            #expect(try database.value("SELECT count(*) FROM verified_emails") == accounts)
            #expect(try database.value("SELECT count(*) FROM emails") == accounts)
        }
    }

    @Test func progressEndsWithAllPages() throws {
        var steps: [(Int, Int)] = []
        try store.service.backUp(to: copy) { steps.append(($0, $1)) }
        let last = try #require(steps.last)
        #expect(last.0 == last.1)
        #expect(last.1 > 10)
    }

    @Test func aBackupOverwritesNothing() throws {
        try store.service.backUp(to: copy)
        let before = try bytes(of: copy)
        _ = try store.account("Ada")
        expect(.conflict) { try store.service.backUp(to: copy) }
        expect(.conflict) { try store.service.backUp(to: store.path) }
        #expect(try bytes(of: copy) == before)
    }

    @Test func aPlaceWhereNoFileCanBeMadeIsReported() throws {
        expect(.unknownItem) { try store.service.backUp(to: store.folder.file("none/copy.db")) }
        expect(.invalidArgument) { try store.service.backUp(to: "") }
        expect(.invalidArgument) { try store.service.backUp(to: "a\u{0}b") }
    }

    @Test func aBackupFromBeforeARotationNeedsTheOldKey() throws {
        let id = try store.account("Ada").id
        try store.service.backUp(to: copy)
        let old = try #require(store.service.rotateKeys().oldKeyPath)
        expect(.keyMismatch) { try restored() }
        #expect(try Service.open(copy, key: .file(old)).account(id).name().givenName == "Ada")
    }
}
