import Foundation
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkAccounts

@Suite struct ContainerDeletionTests {
    private let store: TestService
    private let ada: Session
    private let grace: Session
    private let chat: Container

    /// Two people have used everything that a container has, and another container too.
    init() throws {
        store = try TestService()
        chat = try store.service.createContainer("com.example.chat")
        try store.container.setDirectoryModes([.hashed, .private])
        ada = try store.discoverable("Adaline", emails: "adaline@example.com")
        grace = try store.discoverable("Grace", emails: "grace@example.com")
        try store.container.addField("title", type: .string, indexes: [.queryable, .sortable, .searchable], to: "Note")
        try store.container.addField("place", type: .location, indexes: .queryable, to: "Note")
        try store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO Editor);
            """
        )
        try store.addNotifications(of: ada, from: grace)
        for session in [ada, grace] {
            var record = try session.fetchUserRecord()
            try record.set("color", to: .string("green"))
            _ = try session.save(record)
            var note = try Record(type: "Note")
            try note.set("title", to: .string("Groceries"))
            _ = try session.publicDatabase.save(note)
            _ = try session.discover(book("bob@example.com"))
            let elsewhere = try chat.session(for: store.account(of: session))
            try elsewhere.setDiscoverability(.granted, wording: TestService.wording)
            try elsewhere.block(UserRecordID("_0123456789abcdef0123456789abcdef"))
        }
        try store.addZones(to: ada.privateDatabase)
        try store.container.addField("list", type: .reference, to: "Item")
        try store.container.addField("shops", type: .referenceList, to: "Item")
        try store.addReferences(to: ada.privateDatabase)
        try store.container.addField("file", type: .asset, to: "Note")
        try store.addAssets(of: ada)
        try store.addRemovedAsset(of: ada)
        try store.addIndexBuild()
        try ada.block(grace.userRecordID())
        try store.container.block(ada.userRecordID(), from: grace.userRecordID())
        // Nobody has this ID.
        try store.container.block(ada.userRecordID(), from: UserRecordID("_0123456789abcdef0123456789abcdef"))
        _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket 12")
        _ = try store.container.statistics()
    }

    private func delete() throws -> ContainerDeletion { try store.service.deleteContainer("com.example.notes") }

    /// How many rows of the container each table has. The entries of the audit log stay.
    private func rowCounts() throws -> [(table: String, count: Int)] {
        try Tables.all.filter { $0.isOfContainer && $0.name != "audit" }.map { table in
            let sql = "SELECT count(*) FROM \(table.name) WHERE container_id = 1"
            return try store.service.read { db in
                try db.using(composed: sql, []) { (table.name, try $0.step() ? Int($0.integer(0)) : -1) }
            }
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func theseTestsCoverAllTablesOfAContainer() throws {
        let names = try RawDatabase(store.path).value(
            """
            SELECT group_concat(name, ' ') FROM (SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name = 'container_id' AND m.name NOT IN ('containers', 'audit') ORDER BY m.name)
            """
        )
        #expect(try rowCounts().map(\.table).sorted().joined(separator: " ") == names)
    }

    private func expectNoRows() throws {
        for (table, count) in try rowCounts() { #expect(count == 0, "\(table)") }
        #expect(
            try store.number("SELECT count(*) FROM audit WHERE record_id IS NOT NULL OR sealed_reason IS NOT NULL") == 0
        )
        #expect(try store.number("SELECT state FROM containers WHERE container_id = 1") == 2)
    }

    @Test func noTableKeepsARow() throws {
        try store.addAccess(of: ada)
        for (table, count) in try rowCounts() { #expect(count > 0, "\(table)") }
        let deletion = try delete()
        // With the user of the server.
        #expect(deletion.people == 3)
        #expect(!deletion.isPending)
        try expectNoRows()
    }

    @Test func dataInTheMemoryOfServicesIsNotWrittenBack() throws {
        let elsewhere = try store.reopened()
        let session = try elsewhere.container("com.example.notes").session(
            for: elsewhere.account(#require(grace.account))
        )
        // More than three, so that the services hold leases.
        for seeker in [session, ada] {
            for _ in 0..<4 { _ = try seeker.discover(EmailAddress("bob@example.org")) }
        }
        for (service, account) in try [(elsewhere, #require(grace.account)), (store.service, #require(ada.account))] {
            let holder = LimitHolder(account: account, container: store.container.number, kind: .permits)
            #expect(service.leases.count(of: holder) > 0)
        }
        _ = try delete()
        // Writes the counts in memory, as a service does when it closes.
        for service in [elsewhere, store.service] { _ = try service.container("com.example.chat").statistics() }
        try expectNoRows()
    }

    /// IDs, tags and sealed values are random: none of them is in the files by chance.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noByteOfItIsLeftInTheFiles() throws {
        let queries: [StaticString] = [
            "SELECT record_id, mac FROM users WHERE container_id = 1",
            "SELECT tag, record_id FROM directory WHERE container_id = 1",
            "SELECT sealed_record, code FROM private_directory WHERE container_id = 1",
            "SELECT record_id, sealed_identity FROM identities WHERE container_id = 1",
            "SELECT change_tag, sealed_fields FROM records WHERE container_id = 1",
            "SELECT wording_id, sealed_wording FROM wordings WHERE container_id = 1",
            "SELECT chain, chain FROM consents WHERE container_id = 1",
            "SELECT sealed_key, sealed_key FROM container_keys WHERE container_id = 1",
            "SELECT sealed_seed, public_key FROM directories WHERE container_id = 1 AND epoch > 0",
            "SELECT record_id, sealed_reason FROM audit",
        ]
        let traces = try store.service.read { db in
            try queries.flatMap { query in
                try db.all(query) { row in [row.bytes(0), row.bytes(1)] }.flatMap(\.self)
            }
        }.map { Data($0) }
        #expect(traces.count > 25)
        let before = try store.folder.allBytes()
        #expect(traces.allSatisfy { before.range(of: $0) != nil })
        _ = try delete()
        let after = try store.folder.allBytes()
        for trace in traces { #expect(after.range(of: trace) == nil) }
    }

    @Test func accountsAndOtherContainersStay() throws {
        let seeker = try store.session("Seeker", in: chat)
        _ = try delete()
        for email in ["adaline@example.com", "grace@example.com"] {
            #expect(try seeker.discover(EmailAddress(email)) != nil)
            let account = try store.service.account(email: EmailAddress(email))
            #expect(try !account.export().contains("com.example.notes"))
            #expect(try account.export().contains("com.example.chat"))
            let session = try chat.session(for: account)
            #expect(try session.blockedUserRecordIDs().count == 1)
            #expect(try session.discoverability() == .granted)
            try account.setName(PersonName(givenName: "Renamed"))
            #expect(try seeker.discover(EmailAddress(email))?.name.givenName == "Renamed")
            _ = try account.erase()
        }
    }

    @Test func entriesOfTheAuditLogStayWithoutTheIDs() throws {
        _ = try delete()
        _ = try store.service.createContainer("com.example.notes")
        let log = try store.service.auditLog()
        #expect(log.map(\.container) == ["com.example.notes"])
        #expect(log.first?.userRecordID == nil)
        #expect(log.first?.reason == nil)
    }

    @Test func sessionsAndHandlesFailInAllServices() throws {
        let elsewhere = try store.reopened()
        let container = try elsewhere.container("com.example.notes")
        let account = try elsewhere.account(#require(ada.account))
        let session = try container.session(for: account)
        let nobodys = container.anonymousSession()
        let id = try session.userRecordID()
        var client = try PrivateDiscoveryClient(container: "com.example.notes", publicKeys: [])
        client.setContacts(try book("grace@example.com"))
        let request = try #require(try client.nextRequest())
        _ = try session.answer(request)
        _ = try session.export()
        _ = try delete()
        for again in [false, true] {
            if again { _ = try store.service.createContainer("com.example.notes") }
            expect(.unknownItem) { try session.userRecordID() }
            expect(.unknownItem) { try session.discover(EmailAddress("grace@example.com")) }
            expect(.unknownItem) { try session.discover(book("grace@example.com")) }
            expect(.unknownItem) { try session.answer(request) }
            expect(.unknownItem) { try session.export() }
            expect(.unknownItem) { try session.setDiscoverability(.denied, wording: TestService.wording) }
            expect(.unknownItem) { try session.fetchUserRecord() }
            expect(.unknownItem) { try nobodys.fetchUserRecord(id) }
            expect(.unknownItem) { try session.block(id) }
            expect(.unknownItem) { try session.permitsLeft() }
            expect(.unknownItem) { try container.session(for: account) }
            expect(.unknownItem) { try container.session(for: elsewhere.createAccount()) }
            expect(.unknownItem) { try container.permitLimit() }
            expect(.unknownItem) { try container.setFieldLimit(1) }
            expect(.unknownItem) { try container.statistics() }
            expect(.unknownItem) { try container.directoryModes() }
            expect(.unknownItem) { try container.setDirectoryModes(.private) }
            expect(.unknownItem) { try container.privateEpochs() }
            expect(.unknownItem) { try container.operatorBlocks() }
            expect(.unknownItem) { try container.block(id, from: UserRecordID("_0123456789abcdef0123456789abcdef")) }
            expect(.unknownItem) { try container.unblock(id, from: UserRecordID("_0123456789abcdef0123456789abcdef")) }
            expect(.unknownItem) { try container.account(of: id, reason: "Ticket 12") }
            expect(.unknownItem) { try container.addField("age", type: .int64) }
            expect(.unknownItem) { try container.removeField("color") }
            #expect(session.accountStatus() == .noAccount)
        }
        try expectNoRows()
    }

    @Test func watchersOfTheAccountAreNotified() throws {
        let told = Lock(false)
        let observation = try ada.observeAccount { told.withLock { $0 = true } }
        _ = try delete()
        #expect(told.withLock(when: { $0 }, until: Deadline(in: 600)) { $0 } == true)
        withExtendedLifetime(observation) {}
    }

    @Test func aContainerOfTheSameNameIsANewOne() throws {
        let (id, epochs) = (try ada.userRecordID(), try store.container.privateEpochs().map(\.number))
        _ = try delete()
        let again = try store.service.createContainer("com.example.notes")
        #expect(again.number > store.container.number && again.number > chat.number)
        let session = try again.session(for: store.account(of: ada))
        #expect(try session.userRecordID() != id)
        #expect(try session.discoverability() == .undetermined)
        #expect(try session.permitsLeft() == PermitLimit.standard.capacity)
        #expect(try session.discover(EmailAddress("grace@example.com")) == nil)
        // Clients that keep a state know an epoch by its number.
        try again.setDirectoryModes(.private)
        #expect(try #require(again.privateEpochs().first).number > #require(epochs.max()))
    }

    @Test func aNumberIsNeverReused() throws {
        var numbers: Set<Int64> = []
        for _ in 0..<5 {
            let container = try store.service.createContainer("com.example.passing")
            #expect(numbers.insert(container.number).inserted)
            #expect(try store.service.deleteContainer("com.example.passing").people == 0)
        }
        #expect(try store.service.containers().map(\.name) == ["com.example.chat", "com.example.notes"])
    }

    // MARK: In several transactions

    /// Deletes in batches of one person, and stops after the first.
    private func interrupt() {
        expect(.serviceUnavailable) {
            try store.service.deleteContainer("com.example.notes", .init(people: 1, rows: 1_000)) {
                progress throws(KinfolkError) in
                if progress.people > 0 { throw KinfolkError(.serviceUnavailable, "Interrupted.") }
            }
        }
    }

    @Test func afterTheFirstTransactionNobodyCanUseIt() throws {
        interrupt()
        #expect(try store.number("SELECT count(*) FROM users WHERE container_id = 1") == 1)
        for session in [ada, grace] {
            expect(.unknownItem) { try session.userRecordID() }
            expect(.unknownItem) { try session.discover(EmailAddress("grace@example.com")) }
            #expect(session.accountStatus() == .noAccount)
        }
        expect(.unknownItem) { try store.container.statistics() }
        expect(.unknownItem) { try store.service.container("com.example.notes") }
        expect(.conflict) { try store.service.createContainer("com.example.notes") }
        expect(.conflict) { try store.service.openOrCreateContainer("com.example.notes").isNew }
        #expect(try store.service.containers().map(\.name) == ["com.example.chat"])
        #expect(try delete().people == 1)
        try expectNoRows()
        expect(.unknownItem) { try delete() }
    }

    @Test func accountsCanBeChangedMeanwhile() throws {
        interrupt()
        for session in [ada, grace] {
            let account = try store.service.account(#require(session.account))
            try account.setName(PersonName(givenName: "Renamed"))
            try account.addEmail("\(account.id)@example.org", verified: true)
            try account.suspend()
            try account.resume()
            _ = try account.export()
        }
        _ = try store.service.rotateKeys()
        _ = try store.service.account(#require(ada.account)).erase()
        _ = try delete()
        try expectNoRows()
        _ = try store.service.account(#require(grace.account)).export()
    }

    @Test func twoServicesMayDeleteItAtTheSameTime() throws {
        let elsewhere = try store.reopened()
        var deletions = 0
        _ = try store.service.deleteContainer("com.example.notes", .init(people: 1, rows: 1_000)) {
            _ throws(KinfolkError) in
            deletions += 1
            guard deletions == 1 else { return }
            _ = try elsewhere.deleteContainer("com.example.notes")
            _ = try elsewhere.createContainer("com.example.notes")
        }
        try expectNoRows()
        #expect(try store.service.container("com.example.notes").number > 2, "the new one stays")
    }

    @Test func aTransactionDeletesALimitedNumberOfRows() throws {
        let counts: [StaticString] = [
            "SELECT count(*) FROM directory", "SELECT count(*) FROM private_directory", "SELECT count(*) FROM wordings",
        ]
        func rows() throws -> [Int] { try counts.map { try store.number($0) } }
        for number in 1...5 {
            try grace.setDiscoverability(.granted, wording: ConsentWording("Wording \(number)", version: "\(number)"))
            try store.account(of: grace).addEmail("grace\(number)@example.com", verified: true)
        }
        var before = try rows()
        #expect(before[0] > 5 && before[1] > 5 && before[2] > 5)
        _ = try store.service.deleteContainer("com.example.notes", .init(people: 10, rows: 2)) { _ in
            let now = (try? rows()) ?? []
            #expect(zip(before, now).allSatisfy { $0 - $1 <= 2 })
            before = now
        }
        try expectNoRows()
        #expect(try store.number("SELECT count(*) FROM wordings WHERE container_id = 2") > 0)
    }

    @Test func recordsAreDeletedBeforePeopleAndInBatches() throws {
        let database = ada.privateDatabase
        for zone in ["Notes", "Old"] {
            try database.save(RecordZone(zone))
            for number in 0..<4 {
                var note = try Record(type: "Note", id: RecordID("\(number)", zone: zone))
                try note.set("title", to: .string("\(number)"))
                _ = try database.save(note)
            }
        }
        try database.delete(RecordID("0", zone: "Notes"))
        store.service.sweeper.stop()
        try database.deleteZone("Old")
        let counts: [StaticString] = [
            "SELECT count(*) FROM records", "SELECT count(*) FROM index_entries", "SELECT count(*) FROM tombstones",
            "SELECT count(*) FROM zones", "SELECT count(*) FROM removed_zones",
        ]
        func rows() throws -> Int { try counts.reduce(0) { try $0 + store.number($1) } }
        var before = try rows()
        var batches = 0
        _ = try store.service.deleteContainer("com.example.notes", .init(people: 10, rows: 3)) { progress in
            let now = (try? rows()) ?? 0
            #expect(before - now <= 3)
            #expect(progress.people == 0 || now == 0)
            before = now
            batches += 1
        }
        #expect(batches > 5)
        try expectNoRows()
    }

    @Test func allAccountsOfABatchAreReadBeforeAnythingIsDeleted() throws {
        let (_, work) = try store.service.tracing { try delete() }
        let reads = work.indices.filter { work[$0].sql.hasPrefix("SELECT account_id, is_suspended, revision") }
        // Records are deleted in transactions before.
        let first = try #require(reads.first)
        let writes = work.indices.filter { $0 > first && work[$0].sql.hasPrefix("DELETE FROM") }
        // On a server, the prefetches are recorded too.
        #expect(reads.count >= 2)
        #expect(try #require(reads.last) < #require(writes.first))
    }

    @Test func aTransactionEndsAfterAPersonWithManyRows() throws {
        for session in [ada, grace] { for _ in 0..<10 { try session.block(UserRecordID(.make())) } }
        var people: [Int] = []
        _ = try store.service.deleteContainer("com.example.notes", .init(people: 10, rows: 5)) {
            people.append($0.people)
        }
        #expect(people.contains(1))
        #expect(people.last == 2)
        try expectNoRows()
        for session in [ada, grace] { _ = try store.account(of: session).export() }
    }

    @Test func keysRotateAfterwards() throws {
        _ = try delete()
        _ = try store.service.rotateKeys()
        _ = try store.service.rotateKeys(isLeaked: true)
        #expect(try store.service.containers().map(\.name) == ["com.example.chat"])
        expect(.unknownItem) { try ada.userRecordID() }
    }

    // MARK: A store that was edited without the key

    @Test func aDeletedContainerCannotBeBroughtBack() throws {
        _ = try delete()
        try store.change("UPDATE containers SET state = 0 WHERE container_id = 1")
        expect(.storeCorrupt) { try store.service.container("com.example.notes") }
    }

    @Test func rowsThatBelongToNobodyAreDeleted() throws {
        let nobody = Value.id(.make())
        let (record, other) = (Value.id(try ada.userRecordID().value), Value.id(try #require(grace.account).value))
        for sql in [
            "UPDATE consents SET account_id = $1 WHERE container_id = 1",
            "UPDATE limits SET account_id = $1 WHERE container_id = 1",
            "UPDATE records SET owner = $1 WHERE container_id = 1 AND owner = $2",
            "UPDATE identities SET record_id = $1 WHERE container_id = 1 AND record_id = $2",
            "UPDATE blocks SET record_id = $1 WHERE container_id = 1 AND record_id = $2",
        ] {
            let values = sql.contains("$2") ? [nobody, record] : [nobody]
            try store.service.write { db in
                if !sql.contains("$2") {
                    // The other person's row would have the same primary key.
                    try db.execute("DELETE FROM consents WHERE container_id = 1 AND account_id = $1", other)
                    try db.execute("DELETE FROM limits WHERE container_id = 1 AND account_id = $1", other)
                }
                try db.using(composed: sql, values) { try $0.enqueue { _ in } }
            }
        }
        _ = try delete()
        try expectNoRows()
    }

    @Test(arguments: [1, 2, 10]) func aRowOfUsersWithoutIDsHarmsNobody(_ people: Int) throws {
        try store.change(
            """
            INSERT INTO users (account_id, container_id, record_id, mac, created_at)
            SELECT sealed_key, 1, sealed_key, sealed_key, 0 FROM container_keys WHERE container_id = 1
            """
        )
        #expect(try store.service.deleteContainer("com.example.notes", .init(people: people, rows: 1_000)).people == 2)
        try expectNoRows()
        for session in [ada, grace] { _ = try store.account(of: session).export() }
    }

    @Test func aDamagedAccountDoesNotPreventTheDeletion() throws {
        try store.change("UPDATE accounts SET is_suspended = 1")
        _ = try delete()
        try expectNoRows()
        expect(.storeCorrupt) { try store.service.account(#require(ada.account)).name() }
    }
}
