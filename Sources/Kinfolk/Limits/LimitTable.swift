import KinfolkCrypto
import KinfolkStorage

/// The table of limits: what each person has spent in each container. Each row has its own authentication code, so that nobody
/// can change it without the key.
///
/// A missing row means that nothing was spent. Recording elsewhere which rows exist would not help: an attacker who can delete
/// rows can also restore old ones.
enum LimitTable {
    struct Row {
        let holder: LimitHolder
        /// Nil if the row was changed from outside.
        let spending: Spending?
    }

    /// What a person has spent in a container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if one of the rows was changed from outside.
    static func spendings(
        of account: AccountID,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [LimitKind: Spending] {
        var spendings: [LimitKind: Spending] = [:]
        for row in try stored(account, container, db) {
            let (holder, spending) = (row.holder(account), row.spending)
            guard let holder, row.isAuthentic(holder, keys) else {
                throw KinfolkError.damaged("A limit of the account was changed from outside.")
            }
            spendings[holder.kind] = spending
        }
        return spendings
    }

    /// Prefetches what ``spendings(of:in:_:_:)`` reads.
    static func askAhead(_ account: AccountID, in container: Int64, _ db: Connection) throws {
        _ = try stored(account, container, db)
    }

    /// What a person has spent in all containers.
    static func all(of account: AccountID, _ keys: KeyRing, _ db: Connection) throws -> [Row] {
        let rows = try db.all(
            """
            SELECT container_id, kind, spent, counted_at, lease_window, leased, leased_before, lapsed, code FROM limits
            WHERE account_id = $1 ORDER BY container_id, kind
            """,
            .id(account.value)
        ) { StoredRow($0) }
        return rows.compactMap { row in
            row.holder(account).map { holder in
                Row(holder: holder, spending: row.isAuthentic(holder, keys) ? row.spending : nil)
            }
        }
    }

    static func set(_ spending: Spending, of holder: LimitHolder, _ keys: KeyRing, _ db: Connection) throws {
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

    /// Settles leases: what was not spent of them is available again. Leases whose rows were deleted or changed from outside are
    /// lost.
    static func settle(_ leases: [LimitHolder: LimitLeases.Lease], _ keys: KeyRing, _ db: Connection) throws {
        guard !leases.isEmpty else { return }
        try db.askAhead { for holder in leases.keys { try askAhead(holder.account, in: holder.container, db) } }
        var settled: [(holder: LimitHolder, spending: Spending)] = []
        for (holder, lease) in leases {
            for row in try stored(holder.account, holder.container, db) {
                guard row.holder(holder.account) == holder, row.isAuthentic(holder, keys) else { continue }
                settled.append((holder, row.spending.settling(lease)))
            }
        }
        for (holder, spending) in settled { try set(spending, of: holder, keys, db) }
    }

    /// Renews the authentication codes of a person's rows under the newest key.
    static func renewCodes(of account: AccountID, _ keys: KeyRing, _ db: Connection) throws {
        for row in try all(of: account, keys, db) {
            // A row that was changed from outside is left unchanged.
            guard let spending = row.spending else { continue }
            try set(spending, of: row.holder, keys, db)
        }
    }

    // MARK: Rows

    private struct StoredRow {
        let container: Int64
        let kind: Int64
        /// The value in the row, not clamped.
        let spent: Int64
        let countedAt: Timestamp
        let leased: (window: Int64, recent: Int64, earlier: Int64, lapsed: Int64)
        let code: [UInt8]

        init(_ row: any Statement) {
            container = row.integer(0)
            kind = row.integer(1)
            spent = row.integer(2)
            countedAt = Timestamp(microseconds: row.integer(3))
            leased = (row.integer(4), row.integer(5), row.integer(6), row.integer(7))
            code = row.bytes(8)
        }

        var spending: Spending {
            Spending(
                millionths: spent,
                countedAt: countedAt,
                leased: LeasedAhead(
                    window: leased.window,
                    recent: leased.recent,
                    earlier: leased.earlier,
                    lapsed: leased.lapsed
                )
            )
        }

        /// Nil for an unknown kind.
        func holder(_ account: AccountID) -> LimitHolder? {
            UInt8(exactly: kind).flatMap(LimitKind.init).map { kind in
                LimitHolder(account: account, container: container, kind: kind)
            }
        }

        func isAuthentic(_ holder: LimitHolder, _ keys: KeyRing) -> Bool {
            // A value that had to be clamped was not written by Kinfolk.
            let spending = spending
            let read = (spending.leased.window, spending.leased.recent, spending.leased.earlier, spending.leased.lapsed)
            return spending.millionths == spent && read == leased
                && keys.isAuthentic(code, of: LimitTable.message(spending, of: holder))
        }
    }

    private static func stored(_ account: AccountID, _ container: Int64, _ db: Connection) throws -> [StoredRow] {
        try db.all(
            """
            SELECT container_id, kind, spent, counted_at, lease_window, leased, leased_before, lapsed, code FROM limits
            WHERE account_id = $1 AND container_id = $2
            """,
            .id(account.value),
            .integer(container)
        ) { StoredRow($0) }
    }

    private static func message(_ spending: Spending, of holder: LimitHolder) -> [UInt8] {
        var message = Array("limits".utf8)
        message.append(contentsOf: holder.account.value.bytes)
        withUnsafeBytes(of: holder.container.bigEndian) { message.append(contentsOf: $0) }
        message.append(holder.kind.rawValue)
        let leased = spending.leased
        for number in [
            spending.millionths, spending.countedAt.microseconds,
            leased.window, leased.recent, leased.earlier, leased.lapsed,
        ] {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        return message
    }
}
