import KinfolkCrypto
import KinfolkStorage

/// The table of accounts.
enum AccountTable {
    struct Row {
        let id: AccountID
        let sealedName: [UInt8]
        let isSuspended: Bool
        let createdAt: Timestamp

        func name(with keys: KeyRing) throws -> PersonName {
            PersonName(bytes: try keys.sealing.open(sealedName, at: AccountTable.place(ofNameOf: id)))
        }
    }

    static func row(_ id: AccountID, _ db: Connection) throws -> Row? {
        try db.first(
            "SELECT sealed_name, is_suspended, created_at FROM accounts WHERE account_id = $1",
            .id(id.value)
        ) { row in
            Row(
                id: id,
                sealedName: row.bytes(0),
                isSuspended: row.integer(1) != 0,
                createdAt: Timestamp(microseconds: row.integer(2))
            )
        }
    }

    /// Asks for an account, its addresses and the keys.
    static func askAhead(_ id: AccountID, _ db: Connection) throws {
        try db.askAhead {
            _ = try KeyTable.stamp(db)
            _ = try row(id, db)
            _ = try EmailTable.all(of: id, db)
        }
    }

    static func insert(
        _ rows: some Sequence<(id: AccountID, name: PersonName)>,
        at now: Timestamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws {
        try db.execute(
            "INSERT INTO accounts (account_id, sealed_name, created_at) VALUES ($1, $2, $3)",
            for: rows
        ) { row in
            [
                .id(row.id.value),
                .bytes(try keys.sealing.seal(row.name.bytes, at: place(ofNameOf: row.id))),
                .integer(now.microseconds),
            ]
        }
    }

    static func setName(_ id: AccountID, _ name: PersonName, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            "UPDATE accounts SET sealed_name = $2 WHERE account_id = $1",
            .id(id.value),
            .bytes(try keys.sealing.seal(name.bytes, at: place(ofNameOf: id)))
        )
    }

    static func setSuspended(_ id: AccountID, _ isSuspended: Bool, _ db: Connection) throws {
        try db.execute(
            "UPDATE accounts SET is_suspended = $2 WHERE account_id = $1",
            .id(id.value),
            .integer(isSuspended ? 1 : 0)
        )
    }

    /// Notes that the account changed, for those who watch it.
    static func touch(_ id: AccountID, _ db: Connection) throws {
        try db.execute(
            "UPDATE accounts SET revision = revision + 1 WHERE account_id = $1",
            .id(id.value)
        )
    }

    /// Account IDs in their own order, those after `last`.
    static func ids(after last: AccountID?, limit: Int, _ db: Connection) throws -> [AccountID] {
        let rows = try db.all(
            "SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2",
            .bytes(last?.value.bytes ?? []),
            .integer(Int64(limit))
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return rows.compactMap { $0.map(AccountID.init) }
    }

    private static func place(ofNameOf id: AccountID) -> SealedPlace {
        SealedPlace("accounts", "sealed_name", row: .tag(id.value.tag))
    }
}
