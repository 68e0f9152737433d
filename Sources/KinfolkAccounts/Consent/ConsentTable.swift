package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The tables of consent: what people were asked, and their last answers.
///
/// Of each person and container the last ``kept`` decisions are kept, and the one before them: its chain verifies the first of
/// them. So one more decision costs the same however many there were, and a person cannot fill the store by changing their mind.
package enum ConsentTable {
    /// How many decisions of a person in a container are kept.
    package static let kept = 50

    package static func decision(of account: AccountID, in container: Int64, _ db: Connection) throws -> Discoverability
    {
        let number = try db.first(
            """
            SELECT decision FROM consents WHERE account_id = $1 AND container_id = $2 ORDER BY number DESC LIMIT 1
            """,
            .id(account.value),
            .integer(container)
        ) { $0.integer(0) }
        return number.map(discoverability) ?? .undetermined
    }

    /// The last decision in a container, as stored, and the decision before it in the chain.
    package struct Last {
        package let container: Int64
        package let number: Int64
        let decisionNumber: Int64
        package let wording: [UInt8]
        package let decidedAt: Timestamp
        package let chain: [UInt8]
        /// The chain of the previous decision; nil if there is none.
        let chainBefore: [UInt8]?

        var end: End { (number, chain) }

        package var decision: Discoverability { ConsentTable.discoverability(decisionNumber) }

        /// Whether the decision correctly follows the previous one.
        var isChained: Bool {
            (number == 1) == (chainBefore == nil) && chain == nextChain(after: chainBefore)
        }

        /// Whether it is the first row although it is not the first decision. Then it is there only for its chain, which the next
        /// one verifies: nothing verifies the rest of it.
        var followsDeleted: Bool { number > 1 && chainBefore == nil }

        /// This decision, chained to a previous decision with the chain `before`.
        func chained(after before: [UInt8]?) -> Last {
            Last(
                container: container,
                number: number,
                decisionNumber: decisionNumber,
                wording: wording,
                decidedAt: decidedAt,
                chain: nextChain(after: before),
                chainBefore: before
            )
        }

        /// This decision with another ID of its wording, chained to a previous decision with the chain `before`.
        func with(wording: [UInt8], after before: [UInt8]?) -> Last {
            let unchained = Last(
                container: container,
                number: number,
                decisionNumber: decisionNumber,
                wording: wording,
                decidedAt: decidedAt,
                chain: [],
                chainBefore: nil
            )
            return unchained.chained(after: before)
        }

        private func nextChain(after before: [UInt8]?) -> [UInt8] {
            var encoding = RowEncoding("consents")
            encoding.append(before ?? [])
            encoding.append(container)
            encoding.append(number)
            encoding.append(decisionNumber)
            encoding.append(wording)
            encoding.append(decidedAt.microseconds)
            return encoding.digest.bytes
        }

        package func append(to encoding: inout RowEncoding) {
            encoding.append(number)
            encoding.append(decisionNumber)
            encoding.append(decidedAt.microseconds)
            encoding.append(wording)
            encoding.append(chain)
        }
    }

    /// The last decision of an account in each container, by the container's number.
    ///
    /// The plus sign makes the engine begin with the users. Otherwise it reads all decisions of the account.
    package static func last(of account: AccountID, _ db: Connection) throws -> [Int64: Last] {
        var decisions: [Int64: Last] = [:]
        _ = try db.all(
            """
            SELECT c.container_id, c.number, c.decision, c.wording_id, c.decided_at, c.chain, (
                SELECT p.chain FROM consents p
                WHERE p.account_id = c.account_id AND p.container_id = c.container_id AND p.number < c.number
                ORDER BY p.number DESC LIMIT 1)
            FROM users u JOIN consents c ON c.account_id = u.account_id AND c.container_id = +u.container_id
            AND c.number = (SELECT max(m.number) FROM consents m
                WHERE m.account_id = u.account_id AND m.container_id = u.container_id)
            WHERE u.account_id = $1
            """,
            .id(account.value)
        ) { row in
            decisions[row.integer(0)] = Last(
                container: row.integer(0),
                number: row.integer(1),
                decisionNumber: row.integer(2),
                wording: row.bytes(3),
                decidedAt: Timestamp(microseconds: row.integer(4)),
                chain: row.bytes(5),
                chainBefore: row.isNull(6) ? nil : row.bytes(6)
            )
        }
        return decisions
    }

    private static func discoverability(_ number: Int64) -> Discoverability {
        Int32(exactly: number).flatMap(Discoverability.init) ?? .undetermined
    }

    /// Stores a wording once, because the same wording is shown to many people. It is sealed, because it may contain the name of
    /// the person it addresses.
    ///
    /// - Returns: The ID of the wording, for the decisions that people made when they were shown it.
    package static func keep(
        _ wording: ConsentWording,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [UInt8] {
        let id = keys.wordingTags.tag(wording.bytes)
        let isKnown = try db.first(
            "SELECT 1 FROM wordings WHERE container_id = $1 AND wording_id = $2",
            .integer(container),
            .bytes(id.bytes)
        ) { _ in true }
        if isKnown == nil {
            try db.execute(
                "INSERT INTO wordings (container_id, wording_id, sealed_wording) VALUES ($1, $2, $3)",
                .integer(container),
                .bytes(id.bytes),
                .bytes(try keys.sealing.seal(wording.bytes, at: place(of: id, in: container)))
            )
        }
        return id.bytes
    }

    /// The end of a chain of decisions.
    typealias End = (number: Int64, chain: [UInt8])

    /// The end of the chain of an account in a container; nil if there is no decision.
    static func end(of account: AccountID, in container: Int64, _ db: Connection) throws -> End? {
        try db.first(
            """
            SELECT number, chain FROM consents WHERE account_id = $1 AND container_id = $2 ORDER BY number DESC LIMIT 1
            """,
            .id(account.value),
            .integer(container)
        ) { ($0.integer(0), $0.bytes(1)) }
    }

    /// A new decision.
    package static func new(
        _ decision: Discoverability,
        number: Int64 = 1,
        after chain: [UInt8]? = nil,
        wording: [UInt8],
        in container: Int64,
        at now: Timestamp
    ) -> Last {
        let unchained = Last(
            container: container,
            number: number,
            decisionNumber: Int64(decision.rawValue),
            wording: wording,
            decidedAt: now,
            chain: [],
            chainBefore: chain
        )
        return unchained.chained(after: chain)
    }

    /// Inserts decisions, each of which follows the last one of its account.
    package static func insert(_ rows: some Sequence<(account: AccountID, decision: Last)>, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO consents (account_id, container_id, number, decision, wording_id, decided_at, chain)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            for: rows
        ) { row in
            [
                .id(row.account.value),
                .integer(row.decision.container),
                .integer(row.decision.number),
                .integer(row.decision.decisionNumber),
                .bytes(row.decision.wording),
                .integer(row.decision.decidedAt.microseconds),
                .bytes(row.decision.chain),
            ]
        }
    }

    /// Deletes the decisions of an account that need not be kept after the decision `last`, and their wordings.
    static func prune(before last: Last, of account: AccountID, _ db: Connection) throws {
        let values: [Value] = [
            .id(account.value), .integer(last.container), .integer(last.number - Int64(kept)),
        ]
        let wordings = try db.all(
            "SELECT DISTINCT wording_id FROM consents WHERE account_id = $1 AND container_id = $2 AND number < $3",
            values[0],
            values[1],
            values[2]
        ) { $0.bytes(0) }
        guard !wordings.isEmpty else { return }
        try db.execute(
            "DELETE FROM consents WHERE account_id = $1 AND container_id = $2 AND number < $3",
            values[0],
            values[1],
            values[2]
        )
        for wording in wordings where wording != last.wording {
            try deleteUnlessShown(wording, in: last.container, db)
        }
    }

    /// A decision, and what the person was shown.
    package struct Row {
        package let decision: Discoverability
        package let decidedAt: Timestamp
        package let wording: ConsentWording
    }

    /// The decisions that are kept, in order, each verified by the chain of the next one.
    package static func all(
        of account: AccountID,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [Row] {
        var (first, before): (Last?, Last?)
        let rows: [Row?] = try db.all(
            """
            SELECT c.number, c.decision, c.wording_id, c.decided_at, c.chain, w.sealed_wording FROM consents c
            LEFT JOIN wordings w ON w.container_id = c.container_id AND w.wording_id = c.wording_id
            WHERE c.account_id = $1 AND c.container_id = $2 ORDER BY c.number
            """,
            .id(account.value),
            .integer(container)
        ) { row in
            let decision = Last(
                container: container,
                number: row.integer(0),
                decisionNumber: row.integer(1),
                wording: row.bytes(2),
                decidedAt: Timestamp(microseconds: row.integer(3)),
                chain: row.bytes(4),
                chainBefore: before?.chain
            )
            before = decision
            if first == nil { first = decision }
            guard !decision.followsDeleted else { return nil }
            guard decision.isChained, let id = row.withBytes(2, Tag.init), !row.isNull(5) else {
                throw AccountRows.changed
            }
            return Row(
                decision: decision.decision,
                decidedAt: decision.decidedAt,
                wording: ConsentWording(bytes: try keys.sealing.open(row.bytes(5), at: place(of: id, in: container)))
            )
        }
        // Decisions that had to be kept were deleted without the key.
        if let first, let last = before, first.followsDeleted, first.number > last.number - Int64(kept) {
            throw AccountRows.changed
        }
        return rows.compactMap(\.self)
    }

    /// All decisions of the accounts with IDs from `first` to `last`, in order. They are not verified yet.
    static func all(
        from first: AccountID,
        through last: AccountID,
        _ db: Connection
    ) throws -> [AccountID: [Last]] {
        var all: [AccountID: [Last]] = [:]
        _ = try db.all(
            """
            SELECT account_id, container_id, number, decision, wording_id, decided_at, chain FROM consents
            WHERE account_id BETWEEN $1 AND $2 ORDER BY account_id, container_id, number
            """,
            .id(first.value),
            .id(last.value)
        ) { row in
            guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw AccountRows.changed }
            let container = row.integer(1)
            let before = all[AccountID(id)]?.last
            let decision = Last(
                container: container,
                number: row.integer(2),
                decisionNumber: row.integer(3),
                wording: row.bytes(4),
                decidedAt: Timestamp(microseconds: row.integer(5)),
                chain: row.bytes(6),
                chainBefore: before?.container == container ? before?.chain : nil
            )
            all[AccountID(id), default: []].append(decision)
        }
        return all
    }

    /// Writes the wordings and chains of decisions.
    static func set(_ rows: some Sequence<(account: AccountID, decision: Last)>, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE consents SET wording_id = $4, chain = $5
            WHERE account_id = $1 AND container_id = $2 AND number = $3
            """,
            for: rows
        ) { row in
            [
                .id(row.account.value), .integer(row.decision.container), .integer(row.decision.number),
                .bytes(row.decision.wording), .bytes(row.decision.chain),
            ]
        }
    }

    /// Deletes the decisions of an account, and the wordings that no other decision uses.
    package static func delete(of account: AccountID, _ db: Connection) throws {
        let wordings = try db.all(
            "SELECT DISTINCT container_id, wording_id FROM consents WHERE account_id = $1",
            .id(account.value)
        ) { (container: $0.integer(0), id: $0.bytes(1)) }
        try db.execute("DELETE FROM consents WHERE account_id = $1", .id(account.value))
        for wording in wordings { try deleteUnlessShown(wording.id, in: wording.container, db) }
    }

    /// Deletes a wording, unless a decision refers to it.
    static func deleteUnlessShown(_ wording: [UInt8], in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM wordings WHERE container_id = $1 AND wording_id = $2 AND NOT EXISTS
            (SELECT 1 FROM consents WHERE container_id = $1 AND wording_id = $2)
            """,
            .integer(container),
            .bytes(wording)
        )
    }

    /// Re-seals a wording under the newest keys. The row under the old keys stays: ``deleteUnlessShown(_:in:_:)``.
    ///
    /// - Returns: Its new ID.
    static func reseal(_ wording: [UInt8], in container: Int64, _ keys: ContainerKeys, _ db: Connection) throws
        -> [UInt8]
    {
        let sealed = try db.first(
            "SELECT sealed_wording FROM wordings WHERE container_id = $1 AND wording_id = $2",
            .integer(container),
            .bytes(wording)
        ) { $0.bytes(0) }
        guard let sealed, let id = wording.withUnsafeBytes(Tag.init) else { throw AccountRows.changed }
        let bytes = try keys.sealing.open(sealed, at: place(of: id, in: container))
        return try keep(ConsentWording(bytes: bytes), in: container, keys, db)
    }

    /// Deletes the wordings to which no decision refers.
    package static func deleteUnused(_ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM wordings WHERE NOT EXISTS (SELECT 1 FROM consents c
            WHERE c.container_id = wordings.container_id AND c.wording_id = wordings.wording_id)
            """
        )
    }

    private static func place(of wording: Tag, in container: Int64) -> SealedPlace {
        SealedPlace("wordings", "sealed_wording", row: .number(container), .tag(wording))
    }
}
