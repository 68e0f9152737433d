import KinfolkFiles
import TestSupport
import Testing

@testable import KinfolkStorage

/// Rows are deleted a number at a time.
@Suite struct RowDeletionTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let deletion = RowDeletion("rows", of: ["zone"], by: ["tag": .bytes, "number": .integer])

    init() throws {
        folder = try TemporaryFolder()
        let table = """
            CREATE TABLE rows (zone INTEGER NOT NULL, tag BLOB NOT NULL, number INTEGER NOT NULL,
                PRIMARY KEY (zone, tag, number))
            """
        let migrations = Migrations(application: 7, steps: [Migrations.Step("rows", table)])
        store = try Store(
            path: FilePath(folder.store("rows.db")),
            existingOnly: false,
            wait: 10,
            migrations: migrations
        )
    }

    private func count() throws -> Int64? {
        try store.read { try $0.first("SELECT count(*) FROM rows") { $0.integer(0) } }
    }

    private func delete(atMost limit: Int) throws -> Int {
        try store.write { try deletion.delete(atMost: limit, of: [.integer(1)], $0) }
    }

    @Test func rowsOfOneGroupAreDeletedInParts() throws {
        try store.write { db in
            try db.execute("INSERT INTO rows VALUES ($1, $2, $3)", for: 0..<25) { (number: Int) -> [Value] in
                let zone: Int64 = number < 20 ? 1 : 2
                return [.integer(zone), .bytes([UInt8(number % 3)]), .integer(Int64(number))]
            }
        }
        #expect(try [8, 8, 8, 8].map { try delete(atMost: $0) } == [8, 8, 4, 0])
        #expect(try count() == 5)
    }

    /// Somebody may edit the file of a store.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func keysOfOtherTypesAreDeleted() throws {
        try store.write { db in
            try db.execute("INSERT INTO rows VALUES (1, 'text', 1), (1, 1.5, 'a'), (1, x'00', 2), (2, 'text', 1)")
        }
        #expect(try [2, 2, 2].map { try delete(atMost: $0) } == [2, 1, 0])
        #expect(try count() == 1)
    }
}
