import KinfolkCrypto
import KinfolkStorage

/// The work of a check: it goes over the parts of ``StoreChecker/parts``, counts rows, and collects what is wrong.
final class StoreChecker {
    /// A step of the check: what is checked of some tables.
    struct Part: Sendable {
        /// The tables whose rows it goes over. What fails to be read counts for the first of them.
        let tables: [String]
        let run: @Sendable (StoreChecker) throws -> Void

        init(_ tables: String..., run: @escaping @Sendable (StoreChecker) throws -> Void) {
            self.tables = tables
            self.run = run
        }
    }

    typealias Kind = StoreCheck.Finding.Kind

    /// So many faults of the file are counted.
    private static let mostFaults = 1_000
    /// Rows that are read at once.
    private static let pageSize = 1_000

    let db: Connection
    let keys: KeyRing
    /// The containers that are not deleted, by their numbers.
    private(set) var containers: [Int64] = []

    private let tables: [TableDescription]
    private var rowCounts: [String: Int] = [:]
    private var findings: [String: [Kind: Int]] = [:]
    private let progress: (Int, Int) throws -> Void
    /// Rows of the parts that are done, of the one under way, and of all.
    private var (done, weight, total) = (0, 0, 0)

    /// Checks a store in a transaction of its own.
    static func check(_ store: Store, _ keychain: Keychain, progress: (Int, Int) throws -> Void) throws -> StoreCheck {
        let tables = try Schema.migrations.tables()
        return try withoutActuallyEscaping(progress) { progress in
            try store.read { db in
                // With the key alone: what this process has learnt besides may be wrong.
                let keys = try Keychain(keyOf: keychain).ring(db)
                let checker = StoreChecker(db, keys, tables, progress)
                try checker.run()
                return checker.result
            }
        }
    }

    private init(
        _ db: Connection,
        _ keys: KeyRing,
        _ tables: [TableDescription],
        _ progress: @escaping (Int, Int) throws -> Void
    ) {
        self.db = db
        self.keys = keys
        self.tables = tables
        self.progress = progress
    }

    private func run() throws {
        try checkFile()
        for table in tables {
            try attempt(table.name) { rowCounts[table.name] = try StoreCheckTable.count(table.name, db) }
        }
        let parts = StoreChecker.parts
        total = parts.reduce(0) { $0 + weight(of: $1) }
        try attempt("containers") { containers = try ContainerTable.all(db).map(\.number) }
        for part in parts {
            weight = weight(of: part)
            try attempt(part.tables.first ?? "") { try part.run(self) }
            done += weight
            try progress(done, total)
        }
        for orphans in StoreCheckTable.orphans {
            try attempt(orphans.table) {
                let count = try db.first(orphans.sql) { Int($0.integer(0)) } ?? 0
                if count > 0 { found(.unexpected, in: orphans.table, count) }
            }
        }
    }

    private func checkFile() throws {
        try attempt("") {
            let faults = try Store.countFaults(limit: StoreChecker.mostFaults, db)
            if faults > 0 { found(.damaged, in: "", faults) }
        }
    }

    private func weight(of part: Part) -> Int { part.tables.reduce(0) { $0 + (rowCounts[$1] ?? 0) } }

    private var result: StoreCheck {
        let order = [""] + tables.map(\.name)
        return StoreCheck(
            tables: tables.map { StoreCheck.Table(name: $0.name, rows: rowCounts[$0.name] ?? 0) },
            findings: order.flatMap { table in
                (findings[table] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
                    StoreCheck.Finding(table: table, kind: kind, count: count)
                }
            }
        )
    }

    // MARK: For the parts

    func found(_ kind: Kind, in table: String, _ count: Int = 1) {
        findings[table, default: [:]][kind, default: 0] += count
    }

    /// Whether something was found in a table.
    func hasFindings(in table: String) -> Bool { findings[table] != nil }

    /// How many rows a table has.
    func rowCount(of table: String) -> Int { rowCounts[table] ?? 0 }

    /// Tells how far a part has come.
    func note(_ count: Int, of all: Int) throws {
        let share = Double(count) / Double(max(all, 1))
        try progress(done + Int(Double(weight) * min(share, 1)), total)
    }

    /// Runs `body`, whose failure says something about a table, unless it is about something else: a lost server, or a lock.
    func attempt(_ table: String, _ body: () throws -> Void) throws {
        do { try body() } catch { found(try StoreChecker.kind(of: error), in: table) }
    }

    private static func kind(of error: any Error) throws -> Kind {
        switch error {
        case is CryptoError where error as? CryptoError == .notAuthentic: return .sealed
        case let error as StorageError where error.kind == .corrupt || error.kind == .foreign: return .damaged
        case let error as KinfolkError where error.code == .storeCorrupt: return .changed
        // Of a key that leads nowhere.
        case let error as KinfolkError where error.code == .unknownItem: return .missing
        default: throw error
        }
    }

    /// Goes over all rows of a table, in the order of its key. What `body` throws is a finding about the row.
    func forEachRow(of name: String, _ body: (CheckedRow) throws -> Void) throws {
        guard let table = tables.first(where: { $0.name == name }) else { return }
        let rows = TableRows(table)
        let columns = CheckedRow.columns(of: table)
        var (above, read): ([Value]?, Int) = (nil, 0)
        while true {
            var count = 0
            let range = TableRows.KeyRange(above: above, through: nil)
            try rows.forEach(in: range, limit: StoreChecker.pageSize, db) { row in
                count += 1
                above = rows.key(of: row)
                try attempt(name) { try body(CheckedRow(row, columns)) }
            }
            read += count
            try note(read, of: rowCount(of: name))
            guard count == StoreChecker.pageSize else { return }
        }
    }

    /// Whether what a container holds is whole: of one that is being deleted a part is gone.
    func isInUse(_ container: Int64) -> Bool { (try? keys.requireInUse(container)) != nil }

    /// The keys of a container; nil if they do not open, which is a finding of its own.
    func keys(of container: Int64) throws -> ContainerKeys? {
        do { return try keys.container(container, db) } catch {
            _ = try StoreChecker.kind(of: error)
            return nil
        }
    }

    /// The directories of a container; nil if they do not open, which is a finding of its own.
    func directories(of container: Int64) throws -> Directories? {
        do { return try keys.directories(of: container, db) } catch {
            _ = try StoreChecker.kind(of: error)
            return nil
        }
    }
}
