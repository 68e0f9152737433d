import KinfolkCore
package import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// The table of SEARCHABLE indexes: for each word, the numbers of the records that have it, in sealed blocks.
///
/// A row is found by a keyed tag of its address. During a key rotation, each row is by itself under the newest key or an older one; it
/// is written under the newest.
package enum PostingTable {
    /// A row as it is in the store.
    struct Stored {
        let row: PostingRow
        let tag: Tag
    }

    /// A change of a row.
    struct Write {
        /// The tag of the row as it is in the store; nil if there is none.
        let tag: Tag?
        let address: PostingAddress
        /// Nil to delete the row.
        let content: PostingRow.Content?
    }

    // MARK: Reading

    /// Reads rows, of which some may not exist. A server answers in one round trip, or in one for each key during a rotation.
    ///
    /// - Returns: For each address the row, or nil.
    static func rows(_ addresses: [PostingAddress], in scope: IndexScope, _ db: Connection) throws -> [Stored?] {
        var found = [Stored?](repeating: nil, count: addresses.count)
        var missing = Array(addresses.indices)
        for tags in scope.tags where !missing.isEmpty {
            let keys = missing.map { tags.posting(addresses[$0], zone: scope.key.zone) }
            try keys.withUnsafeBytes { bytes in
                try db.lookUp(
                    """
                    SELECT tag, sealed_block FROM postings
                    WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = ANY($4)
                    """,
                    .integer(scope.container),
                    .bytes(scope.key.owner),
                    .integer(scope.key.zone),
                    keys: KeyList(bytes)
                ) { position, row in
                    let row = try row.withBytes(1) { try open($0, keys[position], in: scope) }
                    found[missing[position]] = Stored(row: row, tag: keys[position])
                }
            }
            missing.removeAll { found[$0] != nil }
        }
        return found
    }

    /// Opens the sealed content of a row, which names its address.
    package static func open(_ sealed: UnsafeRawBufferPointer, _ tag: Tag, in scope: IndexScope) throws -> PostingRow {
        try PostingRow(scope.place.sealing.open(sealed, at: place(of: tag, in: scope.container)))
    }

    /// Throws unless a row is in the place of its address.
    package static func verify(
        _ row: PostingRow,
        _ sealed: UnsafeRawBufferPointer,
        _ tag: Tag,
        in scope: IndexScope
    ) throws {
        guard let epoch = scope.place.sealing.index(of: sealed),
            scope.tags[epoch].posting(row.address, zone: scope.key.zone) == tag
        else { throw PostingRow.damage }
    }

    private static func place(of tag: Tag, in container: Int64) -> SealedPlace {
        SealedPlace("postings", "sealed_block", row: .number(container), .tag(tag))
    }

    // MARK: Writing

    static func run(_ writes: [Write], in scope: IndexScope, _ db: Connection) throws {
        var (insertions, updates, deletions): ([[Value]], [[Value]], [[Value]]) = ([], [], [])
        let (tags, key) = (scope.tags[0], scope.key)
        let start: [Value] = [.integer(scope.container), .bytes(key.owner), .integer(key.zone)]
        let sorted = writes.map { (write: $0, tag: tags.posting($0.address, zone: key.zone)) }.sorted {
            $0.tag < $1.tag
        }
        for (write, tag) in sorted {
            if let old = write.tag, write.content == nil || old != tag { deletions.append(start + [.tag(old)]) }
            guard let content = write.content else { continue }
            let bytes = PostingRow(write.address, content).bytes
            let sealed = try scope.place.sealing.seal(bytes, at: place(of: tag, in: scope.container))
            let values = start + [.tag(tag), .bytes(sealed)]
            if write.tag == tag { updates.append(values) } else { insertions.append(values) }
        }
        try db.execute(
            "DELETE FROM postings WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4",
            for: deletions
        ) { $0 }
        try db.execute(
            "UPDATE postings SET sealed_block = $5 WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4",
            for: updates
        ) { $0 }
        try db.execute(
            "INSERT INTO postings (container_id, owner, zone, tag, sealed_block) VALUES ($1, $2, $3, $4, $5)",
            for: insertions
        ) { $0 }
    }

    // MARK: Rotation

    /// A position among the rows of a container.
    struct Position: Sendable {
        static let start = Position(owner: [], zone: Int64.min, tag: Tag())

        let owner: [UInt8]
        let zone: Int64
        let tag: Tag
    }

    /// Seals the next rows of a container again under the newest key, with their tags. The new tag of a row may come later in the
    /// order of tags, where the row is read once more and left as it is.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    static func renew(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Position? {
        let rows = try db.all(
            """
            SELECT owner, zone, tag, sealed_block FROM postings
            WHERE container_id = $1 AND (owner, zone, tag) > ($2, $3, $4) ORDER BY owner, zone, tag LIMIT $5
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.zone),
            .tag(start.tag),
            .integer(Int64(limit))
        ) { row in
            guard let tag = row.withBytes(2, Tag.init) else { throw StorageError(.corrupt) }
            return (position: Position(owner: row.bytes(0), zone: row.integer(1), tag: tag), sealed: row.bytes(3))
        }
        let places = ZonePlaces(in: container, keys, db)
        for (position, sealed) in rows where !keys.sealing.isNewest(sealed) {
            // The rows of a deleted zone are being removed.
            guard let place = try places.place(owner: position.owner, zone: position.zone) else { continue }
            let scope = try IndexScope(owner: position.owner, zone: position.zone, in: place)
            let row = try sealed.withUnsafeBytes { try open($0, position.tag, in: scope) }
            try run([Write(tag: position.tag, address: row.address, content: row.content)], in: scope, db)
        }
        return rows.count == limit ? rows.last?.position : nil
    }
}
