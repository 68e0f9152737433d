import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage

/// Runs a check: goes through ``StoreChecker/parts``, counts rows, and collects findings.
final class StoreChecker {
    /// A part of the check, for some tables.
    struct Part: Sendable {
        /// The tables that the part checks. A read error is reported for the first of them.
        let tables: [String]
        let run: @Sendable (StoreChecker) throws -> Void

        init(_ tables: String..., run: @escaping @Sendable (StoreChecker) throws -> Void) {
            self.tables = tables
            self.run = run
        }
    }

    typealias Kind = StoreCheck.Finding.Kind

    /// The maximum number of faults of the file that are counted.
    private static let mostFaults = 1_000
    /// The number of rows that are read at once.
    private static let pageSize = 1_000

    let db: Connection
    let keys: KeyRing
    /// The containers that are not deleted, by their numbers.
    private(set) var containers: [Int64] = []

    private let tables: [(table: Table, description: TableDescription)]
    private var rowCounts: [String: Int] = [:]
    private var directorySizes: [String: [DirectoryCheck.Place: Int]] = [:]
    private var findings: [String: [Kind: Int]] = [:]
    private let progress: (Int, Int) throws -> Void
    /// Numbers of rows: in the finished parts, in the current part, and in all parts.
    private var (done, weight, total) = (0, 0, 0)

    /// Checks a store in its own transaction.
    static func check(_ store: Store, _ keychain: Keychain, progress: (Int, Int) throws -> Void) throws -> StoreCheck {
        try store.read { db in
            try check(db, keychain) { done, total in
                try store.requireOpen()
                try progress(done, total)
            }
        }
    }

    static func check(
        _ db: Connection,
        _ keychain: Keychain,
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> StoreCheck {
        // Uses only the service key: other keys that this process has cached may be wrong.
        let keys = try Keychain(keyOf: keychain).ring(db)
        return try withoutActuallyEscaping(progress) { progress in
            let checker = StoreChecker(db, keys, try Tables.described(), progress)
            try checker.run()
            return checker.result
        }
    }

    private init(
        _ db: Connection,
        _ keys: KeyRing,
        _ tables: [(table: Table, description: TableDescription)],
        _ progress: @escaping (Int, Int) throws -> Void
    ) {
        self.db = db
        self.keys = keys
        self.tables = tables
        self.progress = progress
    }

    private func run() throws {
        try checkFile()
        for (table, _) in tables {
            try attempt(table.name) { rowCounts[table.name] = try StoreCheckTable.count(of: table.name, db) }
        }
        let others = tables.filter { table, _ in !StoreChecker.parts.contains { $0.tables.contains(table.name) } }
        let parts = StoreChecker.parts + others.map(sealedPart)
        total = parts.reduce(0) { $0 + weight(of: $1) }
        for (table, description) in tables {
            try attempt(table.name) {
                let count = try StoreCheckTable.invalidRows(of: table, description, db)
                if count > 0 { found(.damaged, in: table.name, count) }
            }
            try progress(0, total)
        }
        try attempt("containers") { containers = try ContainerTable.all(db).map(\.number) }
        for part in parts {
            weight = weight(of: part)
            try attempt(part.tables.first ?? "") { try part.run(self) }
            done += weight
            try progress(done, total)
        }
        for (table, _) in tables {
            try attempt(table.name) {
                let count = try StoreCheckTable.orphans(in: table, db)
                if count > 0 { found(.unexpected, in: table.name, count) }
            }
            try progress(total, total)
        }
    }

    private func checkFile() throws {
        try attempt("") {
            let faults = try Store.countFaults(limit: StoreChecker.mostFaults, db)
            if faults > 0 { found(.damaged, in: "", faults) }
        }
    }

    /// Opens the sealed values of a table, if it has any.
    private func sealedPart(_ table: Table, _ description: TableDescription) -> Part {
        let columns = table.sealedColumns(description)
        return Part(table.name) { check in
            guard !columns.isEmpty else { return }
            try check.forEachRow(of: table.name) { row in
                for column in columns { try column.check(row.row, check.keys, containerKeys: check.keys) }
            }
        }
    }

    private func weight(of part: Part) -> Int { part.tables.reduce(0) { $0 + (rowCounts[$1] ?? 0) } }

    private var result: StoreCheck {
        let order = [""] + tables.map(\.table.name)
        return StoreCheck(
            tables: tables.map { StoreCheck.Table(name: $0.table.name, rows: rowCounts[$0.table.name] ?? 0) },
            findings: order.flatMap { table in
                (findings[table] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
                    StoreCheck.Finding(table: table, kind: kind, times: count)
                }
            }
        )
    }

    // MARK: Used by the parts

    func found(_ kind: Kind, in table: String, _ count: Int = 1) {
        findings[table, default: [:]][kind, default: 0] += count
    }

    /// How many rows a table has.
    func rowCount(of table: String) -> Int { rowCounts[table] ?? 0 }

    /// How many rows each directory has in a table. Counted once, because that reads the whole table.
    func directorySizes(in name: String) throws -> [DirectoryCheck.Place: Int] {
        if let known = directorySizes[name] { return known }
        guard let table = tables.first(where: { $0.table.name == name })?.description else { return [:] }
        let sizes = try StoreCheckTable.directorySizes(in: table, db)
        directorySizes[name] = sizes
        return sizes
    }

    /// Reports the progress of a part.
    func note(_ count: Int, of all: Int) throws {
        let share = all == 0 ? 1 : Double(count) / Double(all)
        try progress(done + Int(Double(weight) * min(share, 1)), total)
    }

    /// Runs `body`. An error that is about the data is recorded as a finding for the table; other errors, such as a lost server
    /// or a lock, are rethrown.
    ///
    /// - Returns: Whether `body` completed.
    @discardableResult
    func attempt(_ table: String, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch {
            found(try StoreChecker.kind(of: error), in: table)
            return false
        }
    }

    private static func kind(of error: any Error) throws -> Kind {
        switch error {
        case CryptoError.notAuthentic: return .sealed
        case let error as StorageError where error.kind == .corrupt || error.kind == .foreign: return .damaged
        case let error as KinfolkError where error.code == .storeCorrupt: return .changed
        // A reference, such as a container's number, to something that does not exist.
        case let error as KinfolkError where error.code == .unknownItem: return .missing
        default: throw error
        }
    }

    /// Goes through all rows of a table whose values have the right types, in the order of its key. An error that `body` throws
    /// becomes a finding, and the next row follows.
    func forEachRow(of name: String, _ body: (CheckedRow) throws -> Void) throws {
        guard let table = tables.first(where: { $0.table.name == name })?.description else { return }
        let rows = TableRows(table, where: table.typeCondition(on: db))
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
            // In a damaged index, the pages could form an endless cycle.
            guard read <= rowCount(of: name) else { throw StorageError(.corrupt) }
            try note(read, of: rowCount(of: name))
            guard count == StoreChecker.pageSize else { return }
        }
    }

    /// Whether a container exists and is in use. A container that is being deleted is incomplete.
    func isInUse(_ container: Int64) -> Bool {
        containers.contains(container) && (try? keys.requireInUse(container)) != nil
    }

    /// The keys of a container; nil if they cannot be opened, which is reported separately.
    func keys(of container: Int64) throws -> ContainerKeys? {
        try unlessDamaged { try keys.container(container, db) }
    }

    /// The directories of a container; nil if they cannot be opened, which is reported separately.
    func directories(of container: Int64) throws -> ContainerDirectories? {
        try unlessDamaged { try keys.directories(of: container, db) }
    }

    /// What `body` reads; nil if the store is damaged there.
    func unlessDamaged<Read>(_ body: () throws -> Read) throws -> Read? {
        do { return try body() } catch {
            _ = try StoreChecker.kind(of: error)
            return nil
        }
    }
}
