import KinfolkStorage
import TestSupport
import Testing

/// Prefetched queries have the same results as without the prefetch.
@Suite struct AskAheadTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.store("store.db"), wait: 10)
    }

    private func value(_ name: String, _ db: Connection) throws -> Int64? {
        try db.first("SELECT value FROM counters WHERE name = $1", .text(name)) { $0.integer(0) }
    }

    private func names(_ db: Connection) throws -> [String] {
        try db.all("SELECT name FROM counters ORDER BY name") { $0.text(0) }
    }

    private func set(_ name: String, _ value: Int64, _ db: Connection) throws {
        try db.execute("UPDATE counters SET value = $2 WHERE name = $1", .text(name), .integer(value))
    }

    private func ask(_ name: String, _ db: Connection) throws {
        try db.askAhead {
            _ = try value(name, db)
            _ = try names(db)
        }
    }

    @Test func severalPrefetchedQueriesAreAnswered() throws {
        for name in ["a", "b"] { try store.countUp(name) }
        for _ in 0..<2 {
            try store.write { db in
                try ask("a", db)
                #expect(try value("a", db) == 1)
                #expect(try names(db) == ["a", "b"])
                #expect(try value("a", db) == 1)
                #expect(try value("b", db) == 1)
                #expect(try value("c", db) == nil)
            }
        }
        try store.read { db in
            try ask("b", db)
            #expect(try names(db) == ["a", "b"])
            #expect(try value("b", db) == 1)
        }
    }

    @Test func eachQueryIsAnsweredForItsOwnValues() throws {
        try store.countUp("a")
        try store.write { db in
            try ask("a", db)
            try ask("b", db)
            #expect(try value("a", db) == 1)
            try ask("b", db)
            for _ in 0..<2 {
                #expect(try value("a", db) == 1)
                #expect(try value("b", db) == nil)
                #expect(try value("c", db) == nil)
            }
        }
    }

    @Test func aQuerySeesWritesMadeAfterThePrefetch() throws {
        try store.countUp("a")
        try store.write { db in
            try ask("a", db)
            try set("a", 7, db)
            #expect(try value("a", db) == 7)
            try ask("a", db)
            #expect(try value("a", db) == 7)
            try db.execute("INSERT INTO counters VALUES ('b', 1)")
            #expect(try names(db) == ["a", "b"])
        }
    }

    @Test func anotherTransactionQueriesAgain() throws {
        try store.countUp("a")
        try store.write { db in try ask("a", db) }
        try store.write { db in
            try ask("a", db)
            _ = try db.first("SELECT 1") { $0.integer(0) }
        }
        try CounterStore.open(folder.store("store.db")).write { db in try set("a", 9, db) }
        #expect(try store.write { db in try value("a", db) } == 9)
    }

    @Test func prefetchingDoesNotWaitForTheResult() throws {
        try store.countUp("a")
        for _ in 0..<3 {
            try store.read { db in try ask("a", db) }
            try store.read { db in
                #expect(try names(db) == ["a"])
                try ask("a", db)
            }
            try store.write { db in try ask("a", db) }
        }
        #expect(try store.count("a") == 1)
    }

    private struct Refusal: Error {}

    @Test func aQueryDoesNotSeeWritesRolledBackAfterThePrefetch() throws {
        try store.countUp("a")
        #expect(throws: Refusal.self) {
            try store.write { db in
                try set("a", 7, db)
                try ask("a", db)
                _ = try db.first("SELECT 1") { $0.integer(0) }
                throw Refusal()
            }
        }
        #expect(try store.write { db in try value("a", db) } == 1)
    }

    /// The server answers in the order of the queries.
    @Test(.enabled(if: !TemporaryFolder.hasFiles)) func thePrefetchIsSentBeforeTheQuery() throws {
        func early(_ db: Connection) throws -> Int64? {
            try db.first("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS early") { $0.integer(0) }
        }
        let (before, now) = try store.write { db in
            try db.askAhead { _ = try early(db) }
            let now = try db.first("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint") { $0.integer(0) }
            return (try early(db), now)
        }
        #expect(try #require(before) <= #require(now))
    }
}
