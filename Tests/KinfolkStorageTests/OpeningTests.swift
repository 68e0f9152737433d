import Foundation
import KinfolkFiles
import KinfolkStorage
import TestSupport
import Testing

@Suite struct OpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.store("store.db")
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aNewStoreIsReadableByItsOwnerOnly() throws {
        let store = try CounterStore.open(path)
        try store.countUp("a")
        for name in try folder.names() { #expect(try mode(of: folder.file(name)) == 0o600, "\(name)") }
    }

    /// SQLite has a separate code if the index of the log (-shm) cannot grow: SQLITE_IOERR_SHMSIZE.
    @Test func aFullDiskIsReportedForWhicheverFileCannotGrow() {
        #expect(StorageError(sqlite: 13).kind == .full)
        #expect(StorageError(sqlite: 4_874).kind == .full)
        #expect(StorageError(sqlite: 10).kind == .inputOutput)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func everyMigrationIsApplied() throws {
        _ = try CounterStore.open(path)
        let database = try RawDatabase(path)
        #expect(try database.value("PRAGMA user_version") == "2")
        #expect(try database.value("PRAGMA application_id") == "\(CounterStore.application)")
        #expect(try database.value("PRAGMA journal_mode") == "wal")
        #expect(try database.value("SELECT count(*) FROM sqlite_master WHERE type = 'table'") == "2")
    }

    @Test func anOlderStoreGetsTheMissingMigrations() throws {
        let first = Migrations(application: CounterStore.application, steps: Array(CounterStore.steps.prefix(1)))
        try Store(path: FilePath(path), existingOnly: false, wait: 5, migrations: first).countUp("a")
        let store = try CounterStore.open(path)
        #expect(try store.count("a") == 1)
        _ = try store.write { db in try db.execute("INSERT INTO log VALUES (1, 1)") }
    }

    @Test func aFailedMigrationLeavesTheStoreUnchanged() throws {
        let broken = Migrations(
            application: CounterStore.application,
            steps: CounterStore.steps
                + [Migrations.Step("broken", "CREATE TABLE more (a TEXT); CREATE TABLE log (a TEXT)")]
        )
        try CounterStore.open(path).countUp("a")
        #expect(throws: StorageError.self) {
            try Store(path: FilePath(path), existingOnly: false, wait: 5, migrations: broken)
        }
        let store = try CounterStore.open(path)
        #expect(throws: StorageError.self) {
            try store.read { db in try db.first("SELECT count(*) FROM more") { _ in } }
        }
        #expect(try store.count("a") == 1)
    }

    @Test func tenOpenersAtOnceMakeOneStore() throws {
        let path = path
        try onThreads(10) { _ in try CounterStore.open(path).countUp("shared") }
        #expect(try CounterStore.open(path).count("shared") == 10)
    }

    @Test func tenProcessesAtOnceMakeOneStore() throws {
        let probes = try (0..<10).map { _ in try Probe("count-up", path, "3") }
        for probe in probes { #expect(probe.finish() == ["done"]) }
        #expect(try CounterStore.open(path).count("shared") == 30)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func openingAnExistingStoreOnlyMakesNoFile() throws {
        #expect(throws: StorageError(.missing, code: 0)) { try open(existingOnly: true) }
        #expect(try folder.names().isEmpty)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aStoreInNoFolderIsMissing() throws {
        #expect(throws: StorageError(.missing)) { try CounterStore.open(folder.file("none/store.db")) }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aFolderIsReportedAsForeign() throws {
        #expect(throws: StorageError(.foreign)) { try CounterStore.open(folder.path) }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: [false, true])
    func aFileOfAnotherKindIsReportedAsForeignAndNotChanged(existingOnly: Bool) throws {
        try String(repeating: "This is a letter and no database.\n", count: 200)
            .write(toFile: path, atomically: false, encoding: .utf8)
        let before = try bytes(of: path)
        #expect(try kind { try open(existingOnly: existingOnly) } == .foreign)
        #expect(try bytes(of: path) == before)
        #expect(try folder.names() == ["store.db"])
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: [false, true])
    func anotherProgramsDatabaseIsReportedAsForeignAndNotChanged(existingOnly: Bool) throws {
        do {
            let database = try RawDatabase(path)
            try database.run(
                "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('one'); PRAGMA user_version = 1"
            )
        }
        let before = try bytes(of: path)
        #expect(try kind { try open(existingOnly: existingOnly) } == .foreign)
        #expect(try bytes(of: path) == before)
        #expect(try folder.names() == ["store.db"])
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aNewerStoreIsReportedAsNewerAndNotChanged() throws {
        try CounterStore.open(path).countUp("a")
        try RawDatabase(path).run("PRAGMA user_version = 3")
        let before = try bytes(of: path)
        #expect(try kind { try open() } == .newer)
        #expect(try bytes(of: path) == before)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anEmptyFileBecomesAStoreUnlessItMustExist() throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(try kind { try open(existingOnly: true) } == .foreign)
        try CounterStore.open(path).countUp("a")
        #expect(try CounterStore.open(path).count("a") == 1)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDamagedStoreIsCorrupt() throws {
        do {
            let store = try CounterStore.open(path)
            try store.write { db in
                for entry in 0..<5_000 {
                    try db.execute("INSERT INTO log VALUES (1, $1)", .integer(Int64(entry)))
                }
            }
        }
        var content = try bytes(of: path)
        for offset in 4_096..<content.count { content[offset] = 0xa5 }
        try content.write(to: URL(fileURLWithPath: path))
        let found = try kind {
            try CounterStore.open(path).read { db in
                try db.all("SELECT count(*), max(entry) FROM log") { $0.integer(0) }
            }
        }
        #expect(found == .corrupt)
    }

    private func open(existingOnly: Bool = false) throws -> Store {
        try CounterStore.open(path, existingOnly: existingOnly, wait: 5)
    }

    private func kind(_ body: () throws -> some Any) throws -> StorageError.Kind? {
        do {
            _ = try body()
            return nil
        } catch let error as StorageError {
            return error.kind
        }
    }
}
