package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of claims on addresses. Each row has a code that authenticates all of it.
package enum ClaimTable {
    package enum Decision: UInt8 {
        case open = 0
        case refused = 1
        case disputed = 2
        case dismissed = 3
    }

    package struct Row {
        package let id: ClaimID
        package let tag: Tag
        package let claimant: AccountID
        package let owner: AccountID
        package var decision: Decision
        package var openedAt: Timestamp
        package var noticedAt: Timestamp?
        package var completableAt: Timestamp?
        /// When it was refused or dismissed.
        package var decidedAt: Timestamp?
        /// The contact hash, and the claimant's spelling.
        package let address: EmailTable.Address
    }

    private static let columns = """
        tag, claimant_id, claim_id, owner_id, decision, opened_at, noticed_at, completable_at, decided_at, sealed_address, code
        """

    /// The claims of an account on the address with these tags.
    package static func rows(of claimant: AccountID, on tags: [Tag], _ keys: KeyRing, _ db: Connection) throws -> [Row]
    {
        try tags.flatMap { tag in
            try rows("tag = $1 AND claimant_id = $2", [.tag(tag), .id(claimant.value)], keys, db)
        }
    }

    package static func rows(of claimant: AccountID, _ keys: KeyRing, _ db: Connection) throws -> [Row] {
        try rows("claimant_id = $1 ORDER BY opened_at, claim_id", [.id(claimant.value)], keys, db)
    }

    /// The accounts with claims of their own among those with IDs from `first` to `last`, in order.
    static func claimants(from first: AccountID, through last: AccountID, _ db: Connection) throws -> [AccountID] {
        try db.all(
            """
            SELECT DISTINCT claimant_id FROM email_claims WHERE claimant_id BETWEEN $1 AND $2 ORDER BY claimant_id
            """,
            .id(first.value),
            .id(last.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)).map(AccountID.init) }.compactMap(\.self)
    }

    package static func rows(against owner: AccountID, _ keys: KeyRing, _ db: Connection) throws -> [Row] {
        try rows("owner_id = $1 ORDER BY opened_at, claim_id", [.id(owner.value)], keys, db)
    }

    package static func row(_ id: ClaimID, _ keys: KeyRing, _ db: Connection) throws -> Row? {
        try rows("claim_id = $1", [.id(id.value)], keys, db).first
    }

    /// The claims after `last`, in the order of their IDs.
    package static func rows(after last: ClaimID?, limit: Int, _ keys: KeyRing, _ db: Connection) throws -> [Row] {
        let values: [Value] = [.bytes(last?.value.bytes ?? []), .integer(Int64(limit))]
        return try rows("claim_id > $1 ORDER BY claim_id LIMIT $2", values, keys, db)
    }

    private static func rows(
        _ condition: String,
        _ values: [Value],
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [Row] {
        try db.using(composed: "SELECT \(columns) FROM email_claims WHERE \(condition)", values) { statement in
            var rows: [Row] = []
            while try statement.step() { rows.append(try row(statement, keys)) }
            return rows
        }
    }

    /// A claim, verified.
    ///
    /// - Parameter row: A row with all columns of the table, in their order.
    package static func row(_ row: any Statement, _ keys: KeyRing) throws -> Row {
        func moment(_ column: Int32) -> Timestamp? {
            row.isNull(column) ? nil : Timestamp(microseconds: row.integer(column))
        }
        guard let tag = row.withBytes(0, Tag.init), let claimant = row.withBytes(1, RandomID.init(bytes:)),
            let id = row.withBytes(2, RandomID.init(bytes:)), let owner = row.withBytes(3, RandomID.init(bytes:)),
            let decision = UInt8(exactly: row.integer(4)).flatMap(Decision.init)
        else { throw StorageError(.corrupt) }
        let sealed = row.bytes(9)
        let place = place(of: tag, AccountID(claimant))
        let found = Row(
            id: ClaimID(id),
            tag: tag,
            claimant: AccountID(claimant),
            owner: AccountID(owner),
            decision: decision,
            openedAt: Timestamp(microseconds: row.integer(5)),
            noticedAt: moment(6),
            completableAt: moment(7),
            decidedAt: moment(8),
            address: try EmailTable.Address(bytes: keys.sealing.open(sealed, at: place))
        )
        guard keys.isAuthentic(row.bytes(10), of: message(found, sealed)) else { throw CryptoError.notAuthentic }
        return found
    }

    /// Writes a claim under the newest keys. It replaces the claim under this tag or an older one.
    package static func save(_ row: Row, _ keys: KeyRing, _ db: Connection) throws {
        let newest = keys.newest.emailTags.tag(row.address.hash)
        if newest != row.tag { try delete(row, db) }
        let row = Row(
            id: row.id,
            tag: newest,
            claimant: row.claimant,
            owner: row.owner,
            decision: row.decision,
            openedAt: row.openedAt,
            noticedAt: row.noticedAt,
            completableAt: row.completableAt,
            decidedAt: row.decidedAt,
            address: row.address
        )
        let sealed = try keys.sealing.seal(row.address.bytes, at: place(of: newest, row.claimant))
        func value(_ moment: Timestamp?) -> Value { moment.map { .integer($0.microseconds) } ?? .null }
        try db.execute(
            """
            INSERT INTO email_claims (tag, claimant_id, claim_id, owner_id, decision, opened_at, noticed_at, completable_at,
            decided_at, sealed_address, code) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (tag, claimant_id) DO UPDATE SET claim_id = excluded.claim_id, owner_id = excluded.owner_id,
            decision = excluded.decision, opened_at = excluded.opened_at, noticed_at = excluded.noticed_at,
            completable_at = excluded.completable_at, decided_at = excluded.decided_at,
            sealed_address = excluded.sealed_address, code = excluded.code
            """,
            .tag(newest),
            .id(row.claimant.value),
            .id(row.id.value),
            .id(row.owner.value),
            .integer(Int64(row.decision.rawValue)),
            .integer(row.openedAt.microseconds),
            value(row.noticedAt),
            value(row.completableAt),
            value(row.decidedAt),
            .bytes(sealed),
            .tag(keys.authenticationCode(of: message(row, sealed)))
        )
    }

    /// How many claims there are on the address with these tags, and how many the claimant has.
    static func counts(on tags: [Tag], by claimant: AccountID, _ db: Connection) throws -> (onAddress: Int, own: Int) {
        let onAddress = try tags.reduce(0) { sum, tag in
            let count = try db.first("SELECT count(*) FROM email_claims WHERE tag = $1", .tag(tag)) {
                Int($0.integer(0))
            }
            return sum + (count ?? 0)
        }
        let own = try db.first("SELECT count(*) FROM email_claims WHERE claimant_id = $1", .id(claimant.value)) {
            Int($0.integer(0))
        }
        return (onAddress, own ?? 0)
    }

    package static func delete(_ row: Row, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM email_claims WHERE tag = $1 AND claimant_id = $2",
            .tag(row.tag),
            .id(row.claimant.value)
        )
    }

    /// Deletes the claims against an account on an address that it no longer has.
    package static func deleteAll(against owner: AccountID, on tags: [Tag], _ db: Connection) throws {
        for tag in tags {
            try db.execute(
                "DELETE FROM email_claims WHERE tag = $1 AND owner_id = $2",
                .tag(tag),
                .id(owner.value)
            )
        }
    }

    private static func place(of tag: Tag, _ claimant: AccountID) -> SealedPlace {
        SealedPlace("email_claims", "sealed_address", row: .tag(tag), .tag(claimant.value.tag))
    }

    /// The message that the code of a row authenticates: each column in a fixed length, except the last one.
    private static func message(_ row: Row, _ sealed: [UInt8]) -> [UInt8] {
        func bytes(_ moment: Timestamp?) -> [UInt8] {
            [moment == nil ? 0 : 1] + withUnsafeBytes(of: (moment?.microseconds ?? 0).bigEndian, Array.init)
        }
        let ids = row.tag.bytes + row.claimant.value.bytes + row.id.value.bytes + row.owner.value.bytes
        let moments = [row.openedAt, row.noticedAt, row.completableAt, row.decidedAt].flatMap(bytes)
        return Array("email_claims".utf8) + ids + [row.decision.rawValue] + moments + sealed
    }
}
