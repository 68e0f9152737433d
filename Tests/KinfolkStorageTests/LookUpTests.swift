import KinfolkFiles
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkStorage

@Suite struct LookUpTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func manyKeysAreLookedUpInOneQuery() throws {
        let migrations = Migrations(
            application: 7,
            steps: [Migrations.Step("keys", "CREATE TABLE keys (key BLOB PRIMARY KEY, value INTEGER NOT NULL)")]
        )
        let store = try Store(
            path: FilePath(folder.store("keys.db")),
            existingOnly: false,
            wait: 10,
            migrations: migrations
        )
        let keys: [UInt64] = (0..<1_000).flatMap { [UInt64($0), 0] }
        _ = try store.write { db in
            try db.execute("INSERT INTO keys VALUES ($1, $2)", for: stride(from: 0, to: 1_000, by: 3)) { key in
                [.sixteenBytes(UInt64(key), 0), .integer(Int64(key))]
            }
        }
        var found: [Int: Int64] = [:]
        let (_, work) = try store.tracing {
            try store.read { db in
                try (keys + keys[..<8]).withUnsafeBytes { keys in
                    try db.lookUp("SELECT key, value FROM keys WHERE key = ANY($1)", keys: KeyList(keys)) {
                        found[$0] = $1.integer(1)
                    }
                }
            }
        }
        #expect(found.count == 334 + 2)
        for (position, value) in found { #expect(Int64(position % 1_000) == value) }
        // One round trip to a server, and the rows.
        if !TemporaryFolder.hasFiles { #expect(work.first { $0.sql.contains("ANY") }?.steps == 1 + 334) }
    }
}
