import KinfolkStorage
import TestSupport
import Testing

@Suite struct ComposedStatementTests {
    /// More than a connection keeps.
    private static let many = 1_200

    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.store("store.db"))
    }

    private func number(_ number: Int, _ db: Connection) throws -> Int {
        try db.using(composed: "SELECT CAST(\(number) AS BIGINT)", []) { row in
            _ = try row.step()
            return Int(row.integer(0))
        }
    }

    @Test func theirNumberIsLimited() throws {
        let (results, kept) = try store.read { db in
            (try (0..<Self.many).map { try number($0, db) }, db.composedStatementCount)
        }
        #expect(results == Array(0..<Self.many))
        #expect(kept == 500)
    }

    @Test func theLeastRecentlyUsedIsEvicted() throws {
        let statement = { (sql: String, db: Connection) in try db.using(composed: sql, []) { $0 as AnyObject } }
        try store.read { db in
            let (often, once) = (try statement("SELECT 'often'", db), try statement("SELECT 'once'", db))
            for index in 0..<Self.many {
                _ = try number(index, db)
                #expect(try statement("SELECT 'often'", db) === often)
            }
            #expect(try statement("SELECT 'once'", db) !== once)
        }
    }

    @Test func aStatementInUseSurvivesItsEviction() throws {
        let rows = try store.read { db in
            try db.using(composed: "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3", []) { row in
                var rows = 0
                while try row.step() {
                    rows += 1
                    for index in 0..<Self.many { _ = try number(index, db) }
                }
                return rows
            }
        }
        #expect(rows == 3)
    }

    /// A server keeps the statements of a connection until it is closed.
    @Test(.enabled(if: !TemporaryFolder.hasFiles)) func aServersConnectionIsReplacedAfterManyStatements() throws {
        func session() throws -> Int64? {
            try store.read { db in try db.first("SELECT CAST(pg_backend_pid() AS BIGINT)") { $0.integer(0) } }
        }
        let first = try session()
        let during = try store.read { db in
            try (0..<5_000).map { try number($0, db) }
        }
        #expect(during == Array(0..<5_000))
        #expect(try session() != first)
        #expect(try session() == session())
    }
}
