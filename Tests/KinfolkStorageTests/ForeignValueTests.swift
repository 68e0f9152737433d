import Foundation
import KinfolkStorage
import TestSupport
import Testing

/// Values that no statement of Kinfolk writes: a call that reads one reports that the store is damaged.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct ForeignValueTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("store.db")
        store = try CounterStore.open(path)
        try store.countUp("a")
    }

    private func kind(_ body: () throws -> some Any) throws -> StorageError.Kind? {
        do {
            _ = try body()
            return nil
        } catch let error as StorageError {
            return error.kind
        }
    }

    @Test(arguments: ["'a text'", "0.5", "x'01'", "''"])
    func aValueOfAnotherTypeIsDamage(_ value: String) throws {
        try RawDatabase(path).run("UPDATE counters SET value = \(value)")
        #expect(try kind { try store.count("a") } == .corrupt)
        #expect(try kind { try store.countUp("a") } == .corrupt)
        try RawDatabase(path).run("UPDATE counters SET value = 5")
        #expect(try store.count("a") == 5, "the statement forgets the damage that it met")
    }

    @Test func aNumberInsteadOfATextIsDamage() throws {
        // A text column would convert the number to a text; a blob column keeps the number.
        let found = try kind {
            try store.read { db in try db.all("SELECT 17 FROM counters") { $0.bytes(0) } }
        }
        #expect(found == .corrupt)
    }

    @Test func aRowThatViolatesAConstraintIsDamage() throws {
        let found = try kind {
            try store.write { db in try db.execute("INSERT INTO counters VALUES ('a', 1)") }
        }
        #expect(found == .corrupt)
    }

    @Test(
        arguments: [
            "DROP TABLE counters", "ALTER TABLE counters RENAME TO others",
            "ALTER TABLE counters RENAME COLUMN value TO other",
        ]
    )
    func aMissingTableIsDamage(_ change: String) throws {
        try RawDatabase(path).run(change)
        #expect(try kind { try CounterStore.open(path).count("a") } == .corrupt)
    }

    @Test func aSumThatOverflowsIsDamage() throws {
        try RawDatabase(path).run("UPDATE counters SET value = 9223372036854775807")
        try RawDatabase(path).run("INSERT INTO counters VALUES ('b', 9223372036854775807)")
        let found = try kind {
            try store.read { db in try db.first("SELECT sum(value) FROM counters") { $0.integer(0) } }
        }
        #expect(found == .corrupt)
    }

    @Test func anImpossibleVersionIsDamage() throws {
        try RawDatabase(path).run("PRAGMA user_version = 1073741826")
        #expect(try kind { try CounterStore.open(path) } == .corrupt)
    }
}
