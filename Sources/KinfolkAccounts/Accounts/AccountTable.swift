package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of accounts.
package enum AccountTable {
    package struct Row {
        package var standing: AccountStanding
        package var sealedName: [UInt8]
        package let createdAt: Timestamp

        package var id: AccountID { standing.id }
        package var isSuspended: Bool { standing.isSuspended }

        package func name(with keys: KeyRing) throws -> PersonName {
            PersonName(bytes: try keys.sealing.open(sealedName, at: AccountTable.place(ofNameOf: id)))
        }
    }

    package static func row(_ id: AccountID, _ db: Connection) throws -> Row? {
        try db.first(
            """
            SELECT account_id, is_suspended, revision, digest, mac, sealed_name, created_at FROM accounts
            WHERE account_id = $1
            """,
            .id(id.value)
        ) { row in
            Row(
                standing: try AccountStanding(row),
                sealedName: row.bytes(5),
                createdAt: Timestamp(microseconds: row.integer(6))
            )
        }
    }

    /// Calls `body` with the position and the standing of each of these accounts that exists. The standing is not verified yet.
    package static func forEachStanding(
        of ids: [AccountID],
        _ db: Connection,
        _ body: (Int, AccountStanding) throws -> Void
    ) throws {
        try ids.withUnsafeBytes { ids in
            try db.lookUp(
                "SELECT account_id, is_suspended, revision, digest, mac FROM accounts WHERE account_id = ANY($1)",
                keys: KeyList(ids)
            ) { position, row in try body(position, AccountStanding(row)) }
        }
    }

    /// The revision of a new account.
    package static let firstRevision: Int64 = 1

    /// The row of a new account.
    package static func newRow(_ id: AccountID, _ name: PersonName, at now: Timestamp, _ keys: KeyRing) throws -> Row {
        Row(
            standing: AccountStanding(id: id, revision: firstRevision, digest: Tag()),
            sealedName: try keys.sealing.seal(name.bytes, at: place(ofNameOf: id)),
            createdAt: now
        )
    }

    /// Inserts accounts together with the digests of their rows.
    package static func insert(_ accounts: some Sequence<AccountRows>, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO accounts (account_id, sealed_name, revision, digest, mac, created_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            for: accounts
        ) { rows in
            var standing = rows.account.standing
            standing.digest = rows.digest
            standing.authenticate(with: keys)
            return [
                .id(standing.id.value),
                .bytes(rows.account.sealedName),
                .integer(standing.revision),
                .tag(standing.digest),
                .tag(standing.mac),
                .integer(rows.account.createdAt.microseconds),
            ]
        }
    }

    /// Writes revisions and digests with their authentication codes.
    package static func renew(_ standings: [AccountStanding], _ keys: KeyRing, _ db: Connection) throws {
        try write(
            standings.lazy.map { standing in
                var standing = standing
                standing.authenticate(with: keys)
                return standing
            },
            db
        )
    }

    static func write(_ standings: some Sequence<AccountStanding>, _ db: Connection) throws {
        try db.execute(
            "UPDATE accounts SET revision = $2, digest = $3, mac = $4 WHERE account_id = $1",
            for: standings
        ) { standing in
            [
                .id(standing.id.value),
                .integer(standing.revision),
                .tag(standing.digest),
                .tag(standing.mac),
            ]
        }
    }

    /// - Returns: The sealed name.
    static func setName(_ id: AccountID, _ name: PersonName, _ keys: KeyRing, _ db: Connection) throws -> [UInt8] {
        let sealed = try sealed(name, of: id, keys)
        try setNames([(id, sealed)], db)
        return sealed
    }

    static func sealed(_ name: PersonName, of id: AccountID, _ keys: KeyRing) throws -> [UInt8] {
        try keys.sealing.seal(name.bytes, at: place(ofNameOf: id))
    }

    /// Writes sealed names.
    static func setNames(_ names: some Sequence<(id: AccountID, sealed: [UInt8])>, _ db: Connection) throws {
        try db.execute("UPDATE accounts SET sealed_name = $2 WHERE account_id = $1", for: names) { name in
            [.id(name.id.value), .bytes(name.sealed)]
        }
    }

    package static func setSuspended(_ id: AccountID, _ isSuspended: Bool, _ db: Connection) throws {
        try db.execute(
            "UPDATE accounts SET is_suspended = $2 WHERE account_id = $1",
            .id(id.value),
            .integer(isSuspended ? 1 : 0)
        )
    }

    /// Increases the change counter that watchers of the account observe.
    package static func touch(_ id: AccountID, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE accounts SET changes = CASE WHEN changes BETWEEN 0 AND 4611686018427387904 THEN changes + 1 ELSE 0 END
            WHERE account_id = $1
            """,
            .id(id.value)
        )
    }

    /// What watchers compare. It changes with every change that they are notified of.
    struct Revision: Equatable {
        /// Of the account.
        let account: Int64
        /// Of its use of the container; -1 if it does not use it.
        let user: Int64
    }

    /// Calls `body` with the position and the revision of each of these accounts that exists.
    static func forEachRevision(
        of ids: [AccountID],
        in container: Int64,
        _ db: Connection,
        _ body: (Int, Revision) -> Void
    ) throws {
        try ids.withUnsafeBytes { ids in
            try db.lookUp(
                """
                SELECT a.account_id, a.changes, coalesce(u.revision, -1) FROM accounts a
                LEFT JOIN users u ON u.account_id = a.account_id AND u.container_id = $1
                WHERE a.account_id = ANY($2)
                """,
                .integer(container),
                keys: KeyList(ids)
            ) { position, row in body(position, Revision(account: row.integer(1), user: row.integer(2))) }
        }
    }

    /// The number of accounts.
    package static func count(_ db: Connection) throws -> Int {
        try db.first("SELECT count(*) FROM accounts") { Int($0.integer(0)) } ?? 0
    }

    /// The account IDs after `last`, in order.
    package static func ids(after last: AccountID?, limit: Int, _ db: Connection) throws -> [AccountID] {
        var previous = last?.value.bytes ?? []
        return try db.all(
            "SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2",
            .bytes(previous),
            .integer(Int64(limit))
        ) { row in
            guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw AccountRows.changed }
            // In a damaged index, the pages could form an endless cycle.
            guard previous.lexicographicallyPrecedes(id.bytes) else { throw AccountRows.changed }
            previous = id.bytes
            return AccountID(id)
        }
    }

    private static func place(ofNameOf id: AccountID) -> SealedPlace {
        SealedPlace("accounts", "sealed_name", row: .tag(id.value.tag))
    }
}
