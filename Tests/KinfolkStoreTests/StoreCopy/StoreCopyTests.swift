import Foundation
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Copies to another place. Where the tests have a server, from there to a file and back; otherwise between files.
@Suite struct StoreCopyTests {
    private let store: TestService
    /// A file, and a place like the store's.
    private let file: String
    private let other: String

    init() throws {
        store = try TestService()
        file = store.folder.file("copy.db")
        other = store.folder.store("other.db")
    }

    private var key: KeySource { .file(TemporaryFolder.keyPath(of: store.path)) }

    private func open(_ path: String) throws -> Service { try Service.open(path, key: key, existingOnly: true) }

    /// The checksum of a new copy of the store.
    private func checksum() throws -> String {
        try store.service.copy(to: store.folder.file("\(UUID().uuidString).db")).checksum
    }

    /// Fills each table, also with rows that no service would make.
    private func fillEachTable() throws -> (ada: Session, grace: Session) {
        let people = try store.fillEachTable()
        _ = try store.service.write { db in
            try db.execute("INSERT INTO audit VALUES (-5, -1, NULL, NULL, 0)")
            try db.execute("INSERT INTO activity VALUES (1, 86400000000, 0, 3, 4)")
        }
        return people
    }

    private func addAuditRows(_ numbers: Range<Int64>) throws {
        _ = try store.service.write { db in
            try db.execute("INSERT INTO audit (number, container_id, noted_at) VALUES ($1, 1, $1)", for: numbers) {
                [.integer($0)]
            }
        }
    }

    // MARK: What is copied

    @Test func allTablesOfAllEnginesAreCopied() throws {
        let (ada, grace) = try fillEachTable()
        let copy = try store.service.copy(to: file)
        // This fails for a new table that is not filled above.
        #expect(copy.tables.filter { $0.rows == 0 }.map(\.name) == [])
        let raw = try RawDatabase(file)
        let names =
            "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid)"
        #expect(try raw.value(names) == copy.tables.map(\.name).joined(separator: " "))
        for table in copy.tables {
            // The copy's mark and its counter. It has no history of its own until it is opened.
            let own = table.name == "service" ? 2 : 0
            #expect(try raw.value("SELECT count(*) FROM \(table.name)") == "\(table.rows + own)", "\(table.name)")
        }
        #expect(copy.rows == copy.copiedRows)

        // After copying to the other engine and back, each column of each row must be the same.
        let second = try open(file).copy(to: other)
        let last = store.folder.file("last.db")
        #expect(try open(other).copy(to: last).checksum == second.checksum)
        try raw.run("ATTACH '\(last)' AS last")
        for table in copy.tables {
            let rows =
                "\(table.name)"
                + (table.name == "service" ? " WHERE name NOT IN ('copy', 'store', 'history', 'counter')" : "")
            for (one, two) in [("main", "last"), ("last", "main")] {
                let difference =
                    "SELECT count(*) FROM (SELECT * FROM \(one).\(rows) EXCEPT SELECT * FROM \(two).\(rows))"
                #expect(try raw.value(difference) == "0", "\(table.name)")
            }
        }

        for path in [file, other, last] {
            let service = try open(path)
            let session = try service.container("com.example.notes").session(
                for: service.account(#require(ada.account))
            )
            #expect(try session.discover(EmailAddress("grace@example.org"))?.userRecordID == grace.userRecordID())
            let record = try ada.fetchUserRecord(in: .private)
            #expect(try session.fetchUserRecord(in: .private) == record)
            #expect(try service.container("com.example.notes").directoryModes() == [.hashed, .private])
        }
        if TemporaryFolder.hasFiles { #expect(try mode(of: file) == 0o600) }
    }

    @Test func partsHaveNoMoreRowsThanFitInMemory() throws {
        let large = [UInt8](repeating: 1, count: 1 << 20)
        _ = try store.service.write { db in
            try db.execute("INSERT INTO records VALUES ($1, 1, $2, 0, $3, 0, $2, 0, 0, 0, $4)", for: 0..<30) {
                [.integer(1_000 + Int64($0)), .bytes([]), .bytes([UInt8($0)]), .bytes(large)]
            }
        }
        var steps: [Int] = []
        let copy = try store.service.copy(to: file) { if $0.step == .copying { steps.append($0.rows) } }
        #expect(copy.tables.first { $0.name == "records" }?.rows == 30)
        let sizes = zip(steps.dropFirst(), steps).map { $0 - $1 }
        #expect(try #require(sizes.max()) <= 8)
    }

    @Test func aCopyOfAStoreWithAPassphraseOpensWithIt() throws {
        let path = store.folder.store("phrase.db")
        let account = try Service.open(path, key: .passphrase("correct horse")).createAccount()
        _ = try Service.open(path, key: .passphrase("correct horse")).copy(to: file)
        expect(.keyMismatch) { try Service.open(file, key: .passphrase("wrong horse")) }
        #expect(try Service.open(file, key: .passphrase("correct horse")).account(account.id).emails() == [])
    }

    @Test func progressReportsTheStepsInOrder() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        var steps: [StoreCopy.Progress] = []
        let copy = try store.service.copy(to: file) { steps.append($0) }
        let names = steps.map(\.step).reduce(into: [StoreCopy.Progress.Step]()) { if $0.last != $1 { $0.append($1) } }
        #expect(names == [.comparing, .copying, .verifying])
        let last = try #require(steps.last)
        #expect(last.rows == copy.rows)
        #expect(last.total == copy.rows)
    }

    // MARK: While it is in use

    @Test func aCopyIsASnapshotWhileOthersWrite() throws {
        try addAuditRows(1..<6_001)
        let isDone = Flag()
        let service = store.service
        let (path, file) = (store.path, file)
        try onThreads(3) { thread in
            if thread == 0 {
                defer { isDone.set() }
                // Whatever is written now is not in the copy.
                var number = 0
                try service.copy(to: file) { progress in
                    number += 1
                    _ = try? service.createAccount(
                        name: PersonName(),
                        emails: ["in\(number)@example.com"],
                        verified: true
                    )
                }
            } else {
                // Each account is made with its address in one transaction: a copy has both or neither.
                let service = try Service.open(path, key: .file(TemporaryFolder.keyPath(of: path)))
                var number = 0
                while !isDone.isSet {
                    let email = "p\(thread)-\(number)@example.com"
                    _ = try service.createAccount(name: PersonName(), emails: [email], verified: true)
                    number += 1
                }
            }
        }
        let raw = try RawDatabase(file)
        let accounts = try raw.value("SELECT count(*) FROM accounts")
        #expect(try raw.value("SELECT count(*) FROM verified_emails") == accounts)
        #expect(try raw.value("SELECT count(*) FROM emails") == accounts)
        #expect(try Int(#require(accounts)) ?? 0 < store.number("SELECT count(*) FROM accounts"))
        // The next run copies the rows that were written meanwhile.
        let again = try service.copy(to: file)
        #expect(again.copiedRows < again.rows)
        #expect(try again.checksum == checksum())
    }

    @Test(arguments: [false, true]) func anUnopenedCopyIsBroughtUpToDate(isFile: Bool) throws {
        let place = isFile ? file : other
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let grace = try store.discoverable("Grace", emails: "grace@example.org")
        try addAuditRows(1..<6_001)
        let first = try store.service.copy(to: place)
        #expect(try store.service.copy(to: place).copiedRows == 0)
        // Rows are added, changed and deleted, in the middle of a table, at its end, and all rows of a table.
        _ = try store.account("Alan", emails: "alan@example.com")
        try store.account(of: ada).setName(PersonName(givenName: "Augusta"))
        _ = try store.account(of: grace).erase()
        _ = try store.service.write { db in
            try db.execute("DELETE FROM audit WHERE number = 3000")
            try db.execute("DELETE FROM audit WHERE number > 5500")
            try db.execute("DELETE FROM directories")
        }
        let second = try store.service.copy(to: place)
        #expect(second.checksum != first.checksum)
        #expect(try second.checksum == checksum())
        let audit = try #require(second.tables.first { $0.name == "audit" })
        #expect(audit.rows == 5_499)
        #expect(audit.copiedRows < 5_000)
        let service = try open(place)
        #expect(try service.account(#require(ada.account)).name().givenName == "Augusta")
        expect(.unknownItem) { try service.account(#require(grace.account)) }
    }

    /// A unique value that is not the key may have moved to a row that comes long before its old row.
    @Test(arguments: [false, true]) func aValueThatMovedToAnotherRowIsNotDuplicated(isFile: Bool) throws {
        let place = isFile ? file : other
        func row(_ number: Int64) -> [Value] {
            let bytes = withUnsafeBytes(of: number.bigEndian) { [UInt8](repeating: 0, count: 8) + $0 }
            return [.bytes(bytes)]
        }
        _ = try store.service.write { db in
            try db.execute("INSERT INTO users VALUES ($1, 1, $1, $1, 0, 0, '')", for: Int64(2)..<6_002, values: row)
        }
        try store.service.copy(to: place)
        _ = try store.service.write { db in
            try db.execute("DELETE FROM users WHERE account_id = $1", row(6_001)[0])
            try db.execute("INSERT INTO users VALUES ($1, 1, $2, $2, 0, 0, '')", row(1)[0], row(6_001)[0])
        }
        #expect(try store.service.copy(to: place).checksum == checksum())
    }

    // MARK: Interruptions

    /// Lets the copy in another process continue step by step while `body` returns true. Returns its last line if it ended.
    private func follow(_ probe: Probe, _ body: (_ step: Substring, _ rows: Int) -> Bool) throws -> String? {
        while let line = probe.line() {
            let words = line.split(separator: " ")
            // After its last line the process has ended, so it must not be told to continue.
            guard words.count == 2, let rows = Int(words[1]) else { return line }
            guard body(words[0], rows) else { return nil }
            try probe.tell("go on")
        }
        return nil
    }

    /// Ends a copy after some of its rows were written, as `kill -9` does.
    private func interrupt(_ place: String) throws {
        let probe = try Probe("copy", store.path, place)
        #expect(try follow(probe) { step, rows in step != "copying" || rows <= 2_000 } == nil)
        probe.kill()
    }

    @Test(arguments: [false, true]) func aKilledCopyCannotBeOpenedAndIsResumed(isFile: Bool) throws {
        let place = isFile ? file : other
        try addAuditRows(1..<6_001)
        try interrupt(place)
        let refused = expect(.serviceUnavailable) { try open(place) }
        #expect(refused?.reason.contains("incomplete") == true)
        // The error is the same with a wrong key and with a key that would have to be made.
        expect(.serviceUnavailable) { try Service.open(place, key: .passphrase("any")) }
        _ = try store.account("Ada")
        let copy = try store.service.copy(to: place)
        #expect(copy.copiedRows < copy.rows)
        #expect(copy.copiedRows > 2_000)
        #expect(try copy.checksum == checksum())
        #expect(try open(place).accounts().count == 1)
    }

    @Test func theLastOfConcurrentRunsContinues() throws {
        try addAuditRows(1..<6_001)
        var second: StoreCopy?
        expect(.conflict) {
            try store.service.copy(to: file) { progress in
                if progress.step == .copying, second == nil { second = try? store.service.copy(to: file) }
            }
        }
        #expect(try #require(second).checksum == checksum())
        _ = try open(file)
    }

    @Test func aFullDiskIsReportedAndTheCopyIsResumedLater() throws {
        try addAuditRows(1..<20_001)
        // From then on a copy writes nothing at the source, whose log is larger than the limit.
        _ = try checksum()
        let probe = try Probe("copy", store.path, file, "600000")
        var last: Substring = ""
        let end = try follow(probe) { step, _ in
            last = step
            return true
        }
        #expect(end == "serviceUnavailable")
        #expect(last == "copying")
        expect(.serviceUnavailable) { try open(file) }
        try store.service.copy(to: file)
        #expect(try RawDatabase(file).value("SELECT count(*) FROM audit") == "20000")
        _ = try open(file)
    }

    // MARK: Faults

    @Test func aCopyThatDiffersFromWhatWasWrittenIsDetected() throws {
        let ada = try store.account("Ada")
        let damage = "UPDATE accounts SET created_at = created_at + 1"
        var isDamaged = false
        let failure = expect(.storeCorrupt) {
            try store.service.copy(to: file) { progress in
                guard progress.step == .copying, progress.rows == progress.total, !isDamaged else { return }
                isDamaged = true
                do { try RawDatabase(file).run(damage) } catch { Issue.record(error) }
            }
        }
        #expect(isDamaged)
        #expect(failure?.reason.contains("accounts") == true)
        expect(.serviceUnavailable) { try open(file) }
        // The next run detects it, and also rows that were damaged later.
        #expect(try store.service.copy(to: file).copiedRows == 1)
        try RawDatabase(file).run(damage)
        #expect(try store.service.copy(to: file).copiedRows == 1)
        try RawDatabase(file).run("INSERT INTO audit VALUES (7, 7, NULL, NULL, 7)")
        #expect(try store.service.copy(to: file).checksum == checksum())
        #expect(try open(file).account(ada.id).name().givenName == "Ada")
    }

    @Test func anExistingDestinationIsNotChanged() throws {
        _ = try store.account("Ada")
        // Another store; this store itself; a copy that was opened; copies of another store.
        let foreign = try TestService()
        _ = try foreign.account("Grace")
        for path in [foreign.path, store.path] { expect(.conflict) { try store.service.copy(to: path) } }
        #expect(try foreign.reopened().accounts().count == 1)
        try store.service.copy(to: file)
        _ = try open(file).createAccount()
        expect(.conflict) { try store.service.copy(to: file) }
        #expect(try open(file).accounts().count == 2)
        try foreign.service.copy(to: other)
        expect(.conflict) { try store.service.copy(to: other) }
        #expect(try foreign.service.copy(to: other).copiedRows == 0)
        // And a file that is no store.
        let text = store.folder.file("text.txt")
        try Data("Some text, which is no database at all.".utf8).write(to: URL(fileURLWithPath: text))
        let database = store.folder.file("shop.db")
        try RawDatabase(database).run("CREATE TABLE orders (number INTEGER)")
        for path in [text, database] {
            let before = try bytes(of: path)
            expect(.storeCorrupt) { try store.service.copy(to: path) }
            #expect(try bytes(of: path) == before)
        }
        expect(.storeCorrupt) { try store.service.copy(to: store.folder.path) }
    }

    @Test func aWrongKeyDoesNotOpenACopyAndDoesNotChangeIt() throws {
        try store.service.copy(to: file)
        expect(.keyMismatch) { try Service.open(file, key: .bytes([UInt8](repeating: 7, count: 32))) }
        expect(.keyMismatch) { try Service.open(file, existingOnly: true) }
        #expect(try store.service.copy(to: file).copiedRows == 0)
    }

    @Test func anOpenedCopyIsASeparateStore() throws {
        try store.service.copy(to: file)
        let second = try open(file)
        let third = store.folder.file("third.db")
        try second.copy(to: third)
        expect(.conflict) { try store.service.copy(to: third) }
        #expect(try second.copy(to: third).copiedRows == 0)
    }

    @Test func aPlaceWhereNoCopyCanBeMadeIsReported() throws {
        expect(.unknownItem) { try store.service.copy(to: store.folder.file("none/copy.db")) }
        let long = store.folder.file(String(repeating: "a", count: 250))
        expect(.unknownItem) { try store.service.copy(to: long) }
        expect(.unknownItem) { try Service.open(long, key: .bytes([UInt8](repeating: 7, count: 32))) }
        #expect(try store.folder.names().filter { $0.hasPrefix("a") } == [])
        expect(.invalidArgument) { try store.service.copy(to: "") }
        expect(.invalidArgument) { try store.service.copy(to: "a\u{0}b") }
        expect(.invalidArgument) { try store.service.copy(to: ":memory:") }
        let failure = expect(.serviceUnavailable) {
            try store.service.copy(to: "postgresql:///kinfolk?host=/nonexistent", wait: 1)
        }
        #expect(failure?.reason.hasPrefix("At the destination: ") == true)
    }
}
