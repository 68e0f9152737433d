import Foundation
import Kinfolk
import KinfolkStorage
import TestSupport
import Testing

/// Migrations of a store of an earlier version by one step more than this version has, and what interrupts them.
@Suite struct MigrationTests {
    private let placed: PlacedStore
    private let path: String
    private let before: [String: [UInt8]]

    init() throws {
        let oldest = try #require(OlderStore.quick.first)
        placed = try oldest.placed()
        path = placed.path
        // The store gets this version's schema, and its log is folded into the file.
        _ = try placed.open()
        before = try LaterVersion.rows(of: path)
    }

    private func expectUnchanged() throws {
        #expect(try LaterVersion.rows(of: path) == before)
        let service = try placed.open()
        try placed.expectObservation(service)
        #expect(try service.check().findings == [])
    }

    private func expectMigrated() throws {
        let store = try LaterVersion.open(path)
        #expect(try LaterVersion.labelCount(store) == 3)
        #expect(try LaterVersion.rows(of: path, LaterVersion.migrations(LaterVersion.labels)) == before)
    }

    @Test func aStepIsTakenOnceAndKeepsEveryRow() throws {
        for _ in 0..<3 { try expectMigrated() }
    }

    @Test func severalStepsAreTakenInTheirOrder() throws {
        let steps = LaterVersion.migrations(
            LaterVersion.labels,
            "ALTER TABLE labels ADD COLUMN length INTEGER NOT NULL DEFAULT 0;",
            "UPDATE labels SET length = length(text);"
        )
        // Another program may have stopped between the versions.
        _ = try LaterVersion.open(path)
        let store = try LaterVersion.open(path, steps)
        let lengths = try store.read { db in
            try db.first("SELECT CAST(sum(length) AS BIGINT) FROM labels") { $0.integer(0) }
        }
        #expect(lengths == 50)
        #expect(try LaterVersion.rows(of: path, steps) == before)
    }

    @Test func aStepThatFailsHalfWayLeavesTheStoreAsItWas() throws {
        let broken = LaterVersion.migrations(
            LaterVersion.labels,
            "DELETE FROM accounts; DROP TABLE records; INSERT INTO labels VALUES (1, 'taken');"
        )
        #expect(throws: StorageError.self) { try LaterVersion.open(path, broken) }
        try expectUnchanged()
        try expectMigrated()
    }

    @Test func aProcessThatIsKilledInTheMiddleLeavesTheStoreAsItWas() throws {
        // The step has changed a lot, and then never ends.
        let (rest, isInTheMiddle) =
            TemporaryFolder.hasFiles ? MigrationTests.endlessInFile : MigrationTests.endlessOnServer
        let sql = "\(LaterVersion.labels)\nDELETE FROM accounts;\n\(rest)"
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", sql)
        #expect(try eventually { try isInTheMiddle(placed) })
        probe.kill()
        if !TemporaryFolder.hasFiles { try MigrationTests.endSessions(of: placed) }
        try expectUnchanged()
        try expectMigrated()
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDiskThatGetsFullLeavesTheStoreAsItWas() throws {
        let sql = "\(LaterVersion.labels)\nDELETE FROM accounts;\n\(MigrationTests.eightMegabytes)"
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", sql, "1000000")
        let lines = probe.finish()
        #expect(lines.count == 1 && lines[0].contains("StorageError"), "\(lines)")
        try expectUnchanged()
        try expectMigrated()
    }

    @Test func processesThatOpenItAtOnceMigrateItOnce() throws {
        let version = "\(LaterVersion.stepsBefore)"
        let probes = try (0..<6).map { _ in try Probe("migrate", path, version, LaterVersion.labels) }
        for probe in probes { #expect(probe.finish() == ["ok"]) }
        try expectMigrated()
    }

    @Test func threadsThatOpenItAtOnceMigrateItOnce() throws {
        let path = path
        try onThreads(8) { _ in
            let labels = try LaterVersion.labelCount(LaterVersion.open(path))
            #expect(labels == 3)
        }
        try expectMigrated()
    }

    // MARK: Steps that do not end

    private static let eightMegabytes = """
        CREATE TABLE filler (content BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO filler SELECT zeroblob(4096) FROM n;
        """

    /// The cache holds 2 MiB of the changed pages, so the others are in the log before the end of the transaction.
    private static let endlessInFile = (
        """
        \(eightMegabytes)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        INSERT INTO filler SELECT zeroblob(i) FROM n WHERE i < 0;
        """,
        { @Sendable (placed: PlacedStore) in
            let attributes = try? FileManager.default.attributesOfItem(atPath: placed.path + "-wal")
            return (attributes?[.size] as? Int ?? 0) > 3_000_000
        } as @Sendable (PlacedStore) throws -> Bool
    )

    private static let endlessOnServer = (
        "SELECT pg_sleep(1000);",
        { @Sendable (placed: PlacedStore) in try sessions(of: placed) == 1 } as @Sendable (PlacedStore) throws -> Bool
    )

    /// The statement names the store's schema nowhere, but each test has a folder of its own, which the search path names.
    private static func sessions(of placed: PlacedStore) throws -> Int64 {
        try placed.otherStore().read { db in
            try db.first(
                """
                SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                WHERE l.relation = to_regclass($1) AND l.mode = 'ExclusiveLock' AND l.granted
                AND a.query LIKE '%pg_sleep(1000)%' AND a.state = 'active'
                """,
                .text(placed.schemaTable)
            ) { $0.integer(0) } ?? 0
        }
    }

    /// Ends what the server still does for a client that is gone.
    private static func endSessions(of placed: PlacedStore) throws {
        try placed.otherStore().read { db in
            _ = try db.all(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
                WHERE relation = to_regclass($1) AND mode = 'ExclusiveLock' AND granted
                """,
                .text(placed.schemaTable)
            ) { _ in }
        }
    }
}

extension PlacedStore {
    /// Another store on the same server.
    fileprivate func otherStore() throws -> Store { try CounterStore.open(folder.store("other.db")) }

    /// The name of the table that a migration locks.
    fileprivate var schemaTable: String {
        let schema = path.components(separatedBy: "schema=").last ?? ""
        return "\(schema).store_schema"
    }
}
