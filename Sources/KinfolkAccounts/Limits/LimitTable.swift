package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of limits: what each person has spent in each container. Each row has its own authentication code, so that nobody
/// can change it without the key.
///
/// A missing row means that nothing was spent. Recording elsewhere which rows exist would not help: an attacker who can delete
/// rows can also restore old ones.
package enum LimitTable {
    package struct Row {
        package let holder: LimitHolder
        /// What the person has spent. Nil if the row was edited without the key.
        package let spending: Spending?

        package init(holder: LimitHolder, spending: Spending? = nil) {
            self.holder = holder
            self.spending = spending
        }
    }

    /// What a person has spent in a container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if one of the rows was edited without the key.
    package static func spendings(
        of account: AccountID,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [LimitKind: Spending] {
        var spendings: [LimitKind: Spending] = [:]
        for row in try stored(account, container...container, db) {
            let (holder, spending) = (row.holder(account), row.spending)
            guard let holder, row.isAuthentic(holder, keys) else {
                throw KinfolkError.damaged("A limit of the account was edited without the key.")
            }
            spendings[holder.kind] = spending
        }
        return spendings
    }

    /// Prefetches what ``spendings(of:in:_:_:)`` reads.
    package static func askAhead(_ account: AccountID, in container: Int64, _ db: Connection) throws {
        _ = try stored(account, container...container, db)
    }

    /// What a person has spent in all containers, or only in one.
    package static func all(
        of account: AccountID,
        in container: Int64? = nil,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [Row] {
        let containers = container.map { $0...$0 } ?? .min ... .max
        return try stored(account, containers, db).compactMap { row in
            row.holder(account).map { holder in
                Row(holder: holder, spending: row.isAuthentic(holder, keys) ? row.spending : nil)
            }
        }
    }

    /// Calls `body` with what each person has spent of a limit in a container, and whether the person has a verified address.
    /// The rows are not verified.
    package static func forEach(
        _ kind: LimitKind,
        in container: Int64,
        _ db: Connection,
        _ body: (Spending, _ isVerified: Bool) -> Void
    ) throws {
        _ = try db.all(
            """
            SELECT l.spent, l.counted_at, l.lease_window, l.leased, l.leased_before, l.lapsed, CASE WHEN EXISTS
                (SELECT 1 FROM emails e WHERE e.account_id = l.account_id AND e.verified_at IS NOT NULL) THEN 1 ELSE 0 END
            FROM limits l WHERE l.container_id = $1 AND l.kind = $2
            """,
            .integer(container),
            .integer(Int64(kind.rawValue))
        ) { row in body(Spending(row, from: 0), row.integer(6) != 0) }
    }

    package static func set(_ spending: Spending, of holder: LimitHolder, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO limits (account_id, container_id, kind, spent, counted_at, lease_window, leased, leased_before, lapsed, code)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (account_id, container_id, kind) DO UPDATE
            SET spent = excluded.spent, counted_at = excluded.counted_at, lease_window = excluded.lease_window,
                leased = excluded.leased, leased_before = excluded.leased_before, lapsed = excluded.lapsed,
                code = excluded.code
            """,
            .id(holder.account.value),
            .integer(holder.container),
            .integer(Int64(holder.kind.rawValue)),
            .integer(spending.millionths),
            .integer(spending.countedAt.microseconds),
            .integer(spending.leased.window),
            .integer(spending.leased.recent),
            .integer(spending.leased.earlier),
            .integer(spending.leased.lapsed),
            .tag(keys.authenticationCode(of: message(spending, of: holder)))
        )
    }

    /// Settles leases: what was not spent of them is available again. Leases whose rows were deleted or edited without the key are
    /// lost.
    package static func settle(_ leases: [LimitHolder: LimitLeases.Lease], _ keys: KeyRing, _ db: Connection) throws {
        guard !leases.isEmpty else { return }
        try db.askAhead { for holder in leases.keys { try askAhead(holder.account, in: holder.container, db) } }
        var settled: [(holder: LimitHolder, spending: Spending)] = []
        for (holder, lease) in leases {
            for row in try stored(holder.account, holder.container...holder.container, db) {
                guard row.holder(holder.account) == holder, row.isAuthentic(holder, keys) else { continue }
                settled.append((holder, row.spending.settling(lease)))
            }
        }
        for (holder, spending) in settled { try set(spending, of: holder, keys, db) }
    }

    /// The accounts with limits among those with IDs from `first` to `last`, in order.
    static func holders(from first: AccountID, through last: AccountID, _ db: Connection) throws -> [AccountID] {
        try db.all(
            "SELECT DISTINCT account_id FROM limits WHERE account_id BETWEEN $1 AND $2 ORDER BY account_id",
            .id(first.value),
            .id(last.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)).map(AccountID.init) }.compactMap(\.self)
    }

    /// Renews the authentication codes of a person's rows under the newest key.
    package static func renewCodes(of account: AccountID, _ keys: KeyRing, _ db: Connection) throws {
        for row in try all(of: account, keys, db) {
            // A row that was edited without the key is left unchanged.
            guard let spending = row.spending else { continue }
            try set(spending, of: row.holder, keys, db)
        }
    }

    // MARK: Rows

    private struct StoredRow {
        let container: Int64
        let kind: Int64
        let spending: Spending
        /// Whether no value of the row had to be clamped. Kinfolk writes no other values.
        let isExact: Bool
        let code: [UInt8]

        init(_ row: any Statement) {
            container = row.integer(0)
            kind = row.integer(1)
            spending = Spending(row, from: 2)
            isExact = spending.columns == (2..<8).map(row.integer)
            code = row.bytes(8)
        }

        /// The account, container and kind of limit that the row is for. Nil if the kind is unknown.
        func holder(_ account: AccountID) -> LimitHolder? {
            UInt8(exactly: kind).flatMap(LimitKind.init).map { kind in
                LimitHolder(account: account, container: container, kind: kind)
            }
        }

        func isAuthentic(_ holder: LimitHolder, _ keys: KeyRing) -> Bool {
            isExact && keys.isAuthentic(code, of: LimitTable.message(spending, of: holder))
        }
    }

    private static func stored(
        _ account: AccountID,
        _ containers: ClosedRange<Int64>,
        _ db: Connection
    ) throws -> [StoredRow] {
        try db.all(
            """
            SELECT container_id, kind, spent, counted_at, lease_window, leased, leased_before, lapsed, code FROM limits
            WHERE account_id = $1 AND container_id >= $2 AND container_id <= $3 ORDER BY container_id, kind
            """,
            .id(account.value),
            .integer(containers.lowerBound),
            .integer(containers.upperBound)
        ) { StoredRow($0) }
    }

    private static func message(_ spending: Spending, of holder: LimitHolder) -> [UInt8] {
        var message = Array("limits".utf8)
        message.append(contentsOf: holder.account.value.bytes)
        withUnsafeBytes(of: holder.container.bigEndian) { message.append(contentsOf: $0) }
        message.append(holder.kind.rawValue)
        for number in spending.columns {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        return message
    }
}

extension Spending {
    /// - Parameter first: The column `spent`. The others follow it in the order of ``columns``.
    fileprivate init(_ row: any Statement, from first: Int32) {
        self.init(
            millionths: row.integer(first),
            countedAt: Timestamp(microseconds: row.integer(first + 1)),
            leased: LeasedAmounts(
                window: row.integer(first + 2),
                recent: row.integer(first + 3),
                earlier: row.integer(first + 4),
                lapsed: row.integer(first + 5)
            )
        )
    }

    /// The values of the columns `spent`, `counted_at`, `lease_window`, `leased`, `leased_before` and `lapsed`.
    fileprivate var columns: [Int64] {
        [millionths, countedAt.microseconds, leased.window, leased.recent, leased.earlier, leased.lapsed]
    }
}
