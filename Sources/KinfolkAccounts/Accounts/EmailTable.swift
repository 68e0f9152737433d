package import KinfolkContacts
package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The tables of addresses: the addresses of each account, and the owner of each verified address.
package enum EmailTable {
    package struct Row {
        package let account: AccountID
        package let tag: Tag
        /// The number of the address within the account, from 1.
        package let number: Int64
        let sealedAddress: [UInt8]
        /// As stored: 0 if people cannot find the account by this address.
        package var discoverability: Int64 = 1
        package var verifiedAt: Timestamp?
        package let addedAt: Timestamp
        /// The account that has the address verified, by its tag; nil if there is none.
        package var owner: AccountID?

        package var isDiscoverable: Bool { discoverability != 0 }
        package var isVerified: Bool { verifiedAt != nil }

        package func open(with keys: KeyRing) throws -> Address {
            try EmailTable.open(sealedAddress, tag, of: account, with: keys)
        }

        package func append(to encoding: inout RowEncoding) {
            encoding.append(number)
            encoding.append(tag)
            encoding.append(discoverability)
            encoding.append(verifiedAt?.microseconds)
            encoding.append(addedAt.microseconds)
            encoding.append(sealedAddress)
        }
    }

    package static func open(_ sealed: [UInt8], _ tag: Tag, of account: AccountID, with keys: KeyRing) throws -> Address
    {
        try Address(bytes: keys.sealing.open(sealed, at: place(of: tag, account)))
    }

    /// The sealed part of an address: its contact hash, so that the directory's tags never depend on a later version of the
    /// canonical form, and its original spelling.
    package struct Address {
        package let hash: [UInt8]
        package let spelling: String

        package init(_ email: EmailAddress, spelling: String) {
            self.init(email.contactHash, spelling: spelling)
        }

        package init(_ hash: ContactHash, spelling: String) {
            self.hash = hash.withUnsafeBytes { Array($0) }
            self.spelling = spelling
        }

        package init(bytes: [UInt8]) throws {
            guard bytes.count > SHA256.length else { throw CryptoError.notAuthentic }
            hash = Array(bytes.prefix(SHA256.length))
            spelling = String(decoding: bytes.dropFirst(SHA256.length), as: UTF8.self)
        }

        package var bytes: [UInt8] { hash + spelling.utf8 }
    }

    /// The addresses of an account, in the order in which they were added.
    package static func all(of account: AccountID, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT e.tag, e.sealed_address, e.is_discoverable, e.verified_at, e.added_at, e.number, v.account_id FROM emails e
            LEFT JOIN verified_emails v ON v.tag = e.tag WHERE e.account_id = $1 ORDER BY e.number, e.tag
            """,
            .id(account.value)
        ) { row in
            guard let tag = row.withBytes(0, Tag.init) else { throw AccountRows.changed }
            return Row(
                account: account,
                tag: tag,
                number: row.integer(5),
                sealedAddress: row.bytes(1),
                discoverability: row.integer(2),
                verifiedAt: row.isNull(3) ? nil : Timestamp(microseconds: row.integer(3)),
                addedAt: Timestamp(microseconds: row.integer(4)),
                owner: row.withBytes(6, RandomID.init(bytes:)).map(AccountID.init)
            )
        }
    }

    /// The contact hashes of the verified addresses of an account.
    ///
    /// - Parameter allowsDamage: Whether to leave out addresses that cannot be opened because they were edited without the key.
    package static func verifiedHashes(
        of account: AccountID,
        allowsDamage: Bool = false,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [[UInt8]] {
        try all(of: account, db).filter(\.isVerified).compactMap { row in
            do { return try row.open(with: keys).hash } catch let error as CryptoError {
                guard allowsDamage else { throw error }
                return nil
            }
        }
    }

    /// Whether an account has a verified address.
    static func hasVerified(_ account: AccountID, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM emails WHERE account_id = $1 AND verified_at IS NOT NULL LIMIT 1",
            .id(account.value)
        ) { _ in true } ?? false
    }

    /// A new address.
    ///
    /// - Parameters:
    ///   - number: Its number within the account.
    ///   - isVerified: Whether the account has it verified as of now.
    package static func newRow(
        _ address: Address,
        tag: Tag,
        number: Int64,
        of account: AccountID,
        isVerified: Bool = false,
        at now: Timestamp,
        _ keys: KeyRing
    ) throws -> Row {
        Row(
            account: account,
            tag: tag,
            number: number,
            sealedAddress: try keys.sealing.seal(address.bytes, at: place(of: tag, account)),
            verifiedAt: isVerified ? now : nil,
            addedAt: now,
            owner: isVerified ? account : nil
        )
    }

    /// Inserts addresses. The owners of verified ones must be recorded too: ``claim(_:_:)``.
    package static func insert(_ rows: some Sequence<Row>, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO emails (account_id, tag, number, sealed_address, is_discoverable, verified_at, added_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            for: rows
        ) { row in
            [
                .id(row.account.value),
                .tag(row.tag),
                .integer(row.number),
                .bytes(row.sealedAddress),
                .integer(row.discoverability),
                row.verifiedAt.map { .integer($0.microseconds) } ?? .null,
                .integer(row.addedAt.microseconds),
            ]
        }
    }

    /// Deletes an address and the claims on it, and invalidates its codes. Claims and codes may be stored under any of its tags.
    package static func delete(_ tag: Tag, _ tags: [Tag], of account: AccountID, _ db: Connection) throws {
        for sql in [
            "DELETE FROM emails WHERE account_id = $1 AND tag = $2",
            "DELETE FROM verified_emails WHERE account_id = $1 AND tag = $2",
        ] as [StaticString] {
            try db.execute(sql, .id(account.value), .tag(tag))
        }
        for tag in tags { try VerificationTable.exhaust(for: tag, of: account, db) }
        try ClaimTable.deleteAll(against: account, on: tags, db)
    }

    static func setDiscoverable(_ tag: Tag, of account: AccountID, _ isDiscoverable: Bool, _ db: Connection) throws {
        try db.execute(
            "UPDATE emails SET is_discoverable = $3 WHERE account_id = $1 AND tag = $2",
            .id(account.value),
            .tag(tag),
            .integer(isDiscoverable ? 1 : 0)
        )
    }

    /// The account that has the address with these tags verified, according to the table. This is not authenticated yet.
    package static func owner(of tags: [Tag], _ db: Connection) throws -> AccountID? {
        for tag in tags {
            let row = try db.first("SELECT account_id FROM verified_emails WHERE tag = $1", .tag(tag)) {
                $0.withBytes(0, RandomID.init(bytes:))
            }
            if let id = row ?? nil { return AccountID(id) }
        }
        return nil
    }

    /// An address under two keys.
    typealias Move = (from: Row, to: Row)

    /// The address under the newest keys.
    static func renewed(_ row: Row, _ address: Address, _ keys: KeyRing) throws -> Row {
        let tag = keys.newest.emailTags.tag(address.hash)
        return Row(
            account: row.account,
            tag: tag,
            number: row.number,
            sealedAddress: try keys.sealing.seal(address.bytes, at: place(of: tag, row.account)),
            discoverability: row.discoverability,
            verifiedAt: row.verifiedAt,
            addedAt: row.addedAt,
            owner: row.owner
        )
    }

    /// Moves addresses to other tags. The owners of verified ones are written in the order of their table.
    static func move(_ moves: [Move], _ db: Connection) throws {
        try db.execute(
            "UPDATE emails SET tag = $3, sealed_address = $4 WHERE account_id = $1 AND tag = $2",
            for: moves
        ) { move in
            [.id(move.from.account.value), .tag(move.from.tag), .tag(move.to.tag), .bytes(move.to.sealedAddress)]
        }
        let verified = moves.filter { $0.from.isVerified && $0.from.tag != $0.to.tag }
        try db.execute(
            "DELETE FROM verified_emails WHERE tag = $1 AND account_id = $2",
            for: verified.map(\.from).sorted { $0.tag < $1.tag }
        ) { [.tag($0.tag), .id($0.account.value)] }
        try claim(verified.map { (tag: $0.to.tag, account: $0.to.account) }.sorted { $0.tag < $1.tag }, db)
    }

    static func setVerified(_ tag: Tag, of account: AccountID, at now: Timestamp, _ db: Connection) throws {
        try db.execute(
            "UPDATE emails SET verified_at = $3 WHERE account_id = $1 AND tag = $2",
            .id(account.value),
            .tag(tag),
            .integer(now.microseconds)
        )
        try claim([(tag, account)], db)
    }

    /// Records the owners of verified addresses. No other account may have these verified.
    package static func claim(_ rows: some Sequence<(tag: Tag, account: AccountID)>, _ db: Connection) throws {
        try db.execute("INSERT INTO verified_emails (tag, account_id) VALUES ($1, $2)", for: rows) { row in
            [.tag(row.tag), .id(row.account.value)]
        }
    }

    /// Calls `body` with the position of each of these tags under which an account has an address verified. They are looked up in
    /// the given order, which is fastest if it is the order of the table.
    package static func forEachOwned(_ tags: [Tag], _ db: Connection, _ body: (Int) -> Void) throws {
        try tags.withUnsafeBytes { tags in
            try db.lookUp("SELECT tag FROM verified_emails WHERE tag = ANY($1)", keys: KeyList(tags)) { position, _ in
                body(position)
            }
        }
    }

    private static func place(of tag: Tag, _ account: AccountID) -> SealedPlace {
        SealedPlace("emails", "sealed_address", row: .tag(account.value.tag), .tag(tag))
    }
}
