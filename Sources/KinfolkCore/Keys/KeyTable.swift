package import KinfolkCrypto
package import KinfolkStorage

/// The tables of sealed keys.
package enum KeyTable {
    // MARK: The state

    /// Changes whenever keys are added or removed, so that a process recognises that the keys it has in memory are stale.
    package static func stamp(_ db: Connection) throws -> Tag? {
        // Cached, because a transaction asks for keys many times.
        if let known = db.transactionNote as? Stamp { return known.tag }
        let tag = try db.first("SELECT value FROM service WHERE name = 'key_stamp'") { row in
            guard let tag = row.withBytes(0, Tag.init) else { throw StorageError(.corrupt) }
            return tag
        }
        db.transactionNote = tag.map(Stamp.init)
        return tag
    }

    /// Whether a store without a stamp once had keys. If it got new keys, everything sealed under the old ones would be lost.
    static func hadKeys(_ db: Connection) throws -> Bool {
        try db.first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM root_keys) OR EXISTS (SELECT 1 FROM accounts)
            OR EXISTS (SELECT 1 FROM containers)
            """
        ) { _ in true } ?? false
    }

    private final class Stamp {
        let tag: Tag

        init(_ tag: Tag) { self.tag = tag }
    }

    package static func renewStamp(_ db: Connection) throws {
        db.transactionNote = nil
        try ServiceTable.set("key_stamp", SecureRandom.bytes(Tag.length), db)
    }

    // MARK: Why keys are rotated

    private static let leak = "leaked_rotation"

    /// Whether the rotation in progress was started because a key leaked.
    package static func isLeaked(_ db: Connection) throws -> Bool { try ServiceTable.value(leak, db) != nil }

    package static func setLeaked(_ isLeaked: Bool, _ db: Connection) throws {
        if isLeaked { try ServiceTable.set(leak, [], db) } else { try ServiceTable.remove(leak, db) }
    }

    // MARK: Root keys

    package struct RootKey {
        package let epoch: Int64
        /// The check value of the key that opens it.
        package let sealedUnder: Tag
        package let sealed: [UInt8]
    }

    /// Root keys, newest epoch first.
    package static func rootKeys(_ db: Connection) throws -> [RootKey] {
        try db.all("SELECT epoch, sealed_under, sealed_key FROM root_keys ORDER BY epoch DESC") { row in
            guard let check = row.withBytes(1, Tag.init) else { throw StorageError(.corrupt) }
            return RootKey(epoch: row.integer(0), sealedUnder: check, sealed: row.bytes(2))
        }
    }

    package static func insert(_ keys: EpochKeys, sealedUnder check: Tag, _ key: SealingKey, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO root_keys (epoch, sealed_under, sealed_key) VALUES ($1, $2, $3)
            ON CONFLICT (epoch, sealed_under) DO UPDATE SET sealed_key = excluded.sealed_key
            """,
            .integer(keys.epoch),
            .tag(check),
            .bytes(keys.sealed(under: key))
        )
    }

    package static func deleteRootKey(_ epoch: Int64, sealedUnder check: Tag, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM root_keys WHERE epoch = $1 AND sealed_under = $2",
            .integer(epoch),
            .tag(check)
        )
    }

    // MARK: Lasting keys of ended epochs

    static func lastingKeys(_ db: Connection) throws -> [(epoch: Int64, sealed: [UInt8])] {
        try db.all("SELECT epoch, sealed_keys FROM lasting_keys ORDER BY epoch DESC") { ($0.integer(0), $0.bytes(1)) }
    }

    package static func setLastingKeys(_ sealed: [UInt8], of epoch: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO lasting_keys (epoch, sealed_keys) VALUES ($1, $2)
            ON CONFLICT (epoch) DO UPDATE SET sealed_keys = excluded.sealed_keys
            """,
            .integer(epoch),
            .bytes(sealed)
        )
    }

    /// Deletes the lasting keys of all ended epochs.
    package static func deleteLastingKeys(_ db: Connection) throws { try db.execute("DELETE FROM lasting_keys") }

    /// Ends all epochs before `newest`: what is still sealed under their keys can no longer be opened.
    package static func deleteEpochs(before newest: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM root_keys WHERE epoch < $1", .integer(newest))
        try db.execute("DELETE FROM container_keys WHERE epoch < $1", .integer(newest))
    }

    // MARK: Container keys

    /// The keys of a container, newest epoch first.
    package static func containerKeys(_ container: Int64, _ db: Connection) throws -> [(epoch: Int64, key: [UInt8])] {
        try db.all(
            "SELECT epoch, sealed_key FROM container_keys WHERE container_id = $1 ORDER BY epoch DESC",
            .integer(container)
        ) { ($0.integer(0), $0.bytes(1)) }
    }

    /// The key of any one container of an epoch, if there is one.
    static func aContainerKey(of epoch: Int64, _ db: Connection) throws -> (container: Int64, key: [UInt8])? {
        try db.first("SELECT container_id, sealed_key FROM container_keys WHERE epoch = $1 LIMIT 1", .integer(epoch)) {
            ($0.integer(0), $0.bytes(1))
        }
    }

    package static func insert(containerKey sealed: [UInt8], for container: Int64, in epoch: Int64, _ db: Connection)
        throws
    {
        try db.execute(
            "INSERT INTO container_keys (container_id, epoch, sealed_key) VALUES ($1, $2, $3)",
            .integer(container),
            .integer(epoch),
            .bytes(sealed)
        )
    }

    /// The numbers of containers that are deleted or being deleted.
    static func endedContainers(_ db: Connection) throws -> Set<Int64> {
        Set(try db.all("SELECT container_id FROM containers WHERE state <> 0") { $0.integer(0) })
    }
}
