package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the identities by which people sign in. Subjects may be easy to guess, so a row is found by a keyed tag.
package enum LinkedIdentityTable {
    /// The most identities of an account.
    static let limit = 20

    package struct Row {
        let tag: Tag
        package let account: AccountID
        package let identity: LinkedIdentity
        let sealed: [UInt8]

        /// Whether the row is under the tag of its content.
        package func hasRightTag(_ keys: KeyRing) -> Bool {
            LinkedIdentityTable.tags(issuer: identity.issuer, subject: identity.subject, keys).contains(tag)
        }
    }

    /// The tags of an identity, the tag of the newest epoch first. A row is stored under one of them.
    static func tags(issuer: String, subject: String, _ keys: KeyRing) -> [Tag] {
        let message = message(issuer, subject)
        return keys.epochs.map { $0.identityTags.tag(message) }
    }

    private static func message(_ issuer: String, _ subject: String) -> [UInt8] {
        var encoding = RowEncoding("linked_identities")
        encoding.append(Array(issuer.utf8))
        encoding.append(Array(subject.utf8))
        return encoding.bytes
    }

    static func row(issuer: String, subject: String, _ keys: KeyRing, _ db: Connection) throws -> Row? {
        for tag in tags(issuer: issuer, subject: subject, keys) {
            let found = try db.first(
                "SELECT tag, account_id, sealed_identity FROM linked_identities WHERE tag = $1",
                .tag(tag)
            ) { try row($0, keys) }
            guard let found else { continue }
            guard found.identity.issuer.utf8.elementsEqual(issuer.utf8),
                found.identity.subject.utf8.elementsEqual(subject.utf8)
            else { throw changed }
            return found
        }
        return nil
    }

    /// The identities of an account, the oldest first.
    package static func all(of account: AccountID, _ keys: KeyRing, _ db: Connection) throws -> [LinkedIdentity] {
        try db.all(
            "SELECT tag, account_id, sealed_identity FROM linked_identities WHERE account_id = $1 ORDER BY tag",
            .id(account.value)
        ) { try row($0, keys).identity }.sorted { left, right in
            left.addedAt == right.addedAt
                ? (left.issuer + left.subject).utf8.lexicographicallyPrecedes((right.issuer + right.subject).utf8)
                : left.addedAt < right.addedAt
        }
    }

    /// - Parameter row: A row with all columns of the table, in their order.
    package static func row(_ row: any Statement, _ keys: KeyRing) throws -> Row {
        guard let tag = row.withBytes(0, Tag.init),
            let account = row.withBytes(1, RandomID.init(bytes:)).map(AccountID.init)
        else { throw StorageError(.corrupt) }
        let sealed = row.bytes(2)
        let content = try SealedContent(keys.sealing.open(sealed, at: place(of: tag, account)))
        let identity = LinkedIdentity(
            issuer: try content.text("issuer"),
            subject: try content.text("subject"),
            addedAt: try content.moment("addedAt")
        )
        return Row(tag: tag, account: account, identity: identity, sealed: sealed)
    }

    static func insert(_ identity: LinkedIdentity, of account: AccountID, _ keys: KeyRing, _ db: Connection) throws {
        let (tag, sealed) = try newest(identity, of: account, keys)
        try db.execute(
            "INSERT INTO linked_identities (tag, account_id, sealed_identity) VALUES ($1, $2, $3)",
            .tag(tag),
            .id(account.value),
            .bytes(sealed)
        )
    }

    static func delete(_ row: Row, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM linked_identities WHERE tag = $1 AND account_id = $2",
            .tag(row.tag),
            .id(row.account.value)
        )
    }

    /// The tag and the sealed content of an identity under the newest keys.
    private static func newest(_ identity: LinkedIdentity, of account: AccountID, _ keys: KeyRing) throws
        -> (tag: Tag, sealed: [UInt8])
    {
        let tag = keys.newest.identityTags.tag(message(identity.issuer, identity.subject))
        var fields = Fields()
        fields["issuer"] = .string(identity.issuer)
        fields["subject"] = .string(identity.subject)
        fields["addedAt"] = .date(identity.addedAt)
        return (tag, try keys.sealing.seal(FieldWriter(fields).bytes, at: place(of: tag, account)))
    }

    private static func place(of tag: Tag, _ account: AccountID) -> SealedPlace {
        SealedPlace("linked_identities", "sealed_identity", row: .tag(tag), .tag(account.value.tag))
    }

    package static var changed: KinfolkError {
        .damaged("An identity is not authentic: the store was edited without the key.")
    }

    // MARK: Rotation

    /// Moves the next identities to their tags under the newest keys, and seals them again.
    ///
    /// - Parameter start: The last tag of the previous batch; empty for the first batch.
    /// - Returns: The tag of the last row; nil if there are no more. A row that moved may be met again.
    package static func renew(after start: [UInt8], limit: Int, _ keys: KeyRing, _ db: Connection) throws -> [UInt8]? {
        let rows = try db.all(
            """
            SELECT tag, account_id, sealed_identity FROM linked_identities WHERE tag > $1 ORDER BY tag LIMIT $2
            """,
            .bytes(start),
            .integer(Int64(limit))
        ) { try row($0, keys) }
        for row in rows where !keys.sealing.isNewest(row.sealed) {
            let (tag, sealed) = try newest(row.identity, of: row.account, keys)
            try db.execute(
                "UPDATE linked_identities SET tag = $3, sealed_identity = $4 WHERE tag = $1 AND account_id = $2",
                .tag(row.tag),
                .id(row.account.value),
                .tag(tag),
                .bytes(sealed)
            )
        }
        // In a damaged index, the pages could form an endless cycle.
        if let last = rows.last, !start.lexicographicallyPrecedes(last.tag.bytes) { throw StorageError(.corrupt) }
        return rows.count == limit ? rows.last?.tag.bytes : nil
    }
}
