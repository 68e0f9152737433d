import Foundation
import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Failures of a server, and of the connection to it.
@Suite(.enabled(if: !TemporaryFolder.hasFiles)) struct ServerTests {
    private let folder: TemporaryFolder
    private let address: String
    private let store: Store
    /// A second store on the same server.
    private let other: Store

    init() throws {
        folder = try TemporaryFolder()
        address = folder.store("store.db")
        store = try CounterStore.open(address, wait: 10)
        other = try CounterStore.open(folder.store("other.db"))
    }

    private func session(_ db: Connection) throws -> Int64 {
        try db.first("SELECT pg_backend_pid()") { $0.integer(0) } ?? 0
    }

    private func end(_ session: Int64) throws {
        _ = try other.read { db in
            try db.first("SELECT pg_terminate_backend($1::bigint::integer, 5000)", .integer(session)) { _ in }
        }
    }

    @Test func aReadReconnectsAfterItsIdleSessionWasEnded() throws {
        let session = try store.read(session)
        try end(session)
        #expect(try store.count("a") == 0)
        #expect(try store.read(self.session) != session)
    }

    @Test func aWriteReconnectsAfterItsIdleSessionWasEnded() throws {
        try end(store.write { try session($0) })
        try store.countUp("a")
        #expect(try store.count("a") == 1)
    }

    @Test func aReadThatLosesItsSessionIsRepeated() throws {
        var sessions: [Int64] = []
        let count = try store.read { db in
            sessions.append(try session(db))
            if sessions.count == 1 { try end(sessions[0]) }
            return try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
        }
        #expect(count == 0)
        #expect(Set(sessions).count == 2)
    }

    @Test func aReadThatLosesItsSessionAtItsEndHasNoUnknownOutcome() throws {
        let lost = try store.read { db in
            let session = try session(db)
            try end(session)
            return session
        }
        #expect(try store.read(session) != lost)
    }

    @Test func aWriteThatLosesItsSessionIsCommittedOnce() throws {
        var sessions: [Int64] = []
        try store.write { db in
            try db.execute("INSERT INTO log VALUES (1, 1)")
            sessions.append(try session(db))
            if sessions.count == 1 { try end(sessions[0]) }
            try db.execute("INSERT INTO log VALUES (1, 2)")
        }
        #expect(Set(sessions).count == 2)
        #expect(try store.read { db in try db.first("SELECT count(*) FROM log") { $0.integer(0) } } == 2)
    }

    @Test func aWriteThatTheServerRolledBackInAConflictIsRepeated() throws {
        var attempts = 0
        try store.write { db in
            attempts += 1
            try db.execute("INSERT INTO log VALUES (1, 1)")
            if attempts < 3 { throw StorageError(.interrupted) }
        }
        #expect(attempts == 3)
        #expect(try store.read { db in try db.first("SELECT count(*) FROM log") { $0.integer(0) } } == 1)
    }

    @Test func aStatementThatExceedsItsTimeoutIsCancelled() throws {
        let impatient = try CounterStore.open(address + "&statement_timeout=1", wait: 10)
        let error = try #require(throws: StorageError.self) {
            try impatient.read { db in try db.first("SELECT pg_sleep(20)") { _ in } }
        }
        #expect(error.kind == .inputOutput)
        #expect(try impatient.count("a") == 0)
    }

    @Test func noConnectionCompilesItsStatements() throws {
        func setting(_ db: Connection) throws -> String? {
            try db.first("SELECT current_setting('jit')") { $0.text(0) }
        }
        // The server's default may be off.
        let store = try CounterStore.open(address + "&options=-cjit%3Don")
        #expect(try store.read(setting) == "off")
        #expect(try store.write(setting) == "off")
    }

    @Test func aMissingServerIsUnreachable() throws {
        let error = try #require(throws: StorageError.self) {
            try CounterStore.open("postgresql:///kinfolk?host=\(folder.path)")
        }
        #expect(error.kind == .unreachable)
    }

    @Test func aServerThatAcceptsAndNeverAnswersIsUnreachable() throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.file(".s.PGSQL.5432").utf8) }
        let isBound = withUnsafeBytes(of: &address) { address in
            bind(listener, address.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(address.count)) == 0
        }
        #expect(isBound && listen(listener, 8) == 0)
        // Without a limit it would wait for ten minutes.
        let start = ContinuousClock.now
        let error = try #require(throws: StorageError.self) {
            try CounterStore.open("postgresql:///kinfolk?host=\(folder.path)&connect_timeout=2", wait: 600)
        }
        #expect(error.kind == .unreachable)
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test(arguments: ["schema=Public", "schema=a%20b", "schema=", "pool_size=0", "statement_timeout=-1", "nonsense=1"])
    func aWrongParameterIsRefused(parameter: String) throws {
        let error = try #require(throws: StorageError.self) {
            try CounterStore.open("postgresql:///kinfolk?\(parameter)")
        }
        #expect(error.kind == .noAddress)
    }

    @Test func textsAreOrderedByTheirBytes() throws {
        for name in ["b", "A", "a", "B", "ä"] { try store.countUp(name) }
        let names = try store.read { db in try db.all("SELECT name FROM counters ORDER BY name") { $0.text(0) } }
        #expect(names == ["A", "B", "a", "b", "ä"])
    }
}
