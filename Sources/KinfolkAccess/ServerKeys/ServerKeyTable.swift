package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the public keys of servers. The content of a row is sealed at a place that has the container, the key ID and the account
/// in it.
package enum ServerKeyTable {
    /// The most keys of a container.
    package static let limit = 100

    static func key(_ id: [UInt8], in container: Int64, _ keys: KeyRing, _ db: Connection) throws -> ServerKey? {
        try db.first(
            """
            SELECT container_id, key_id, account_id, sealed_key FROM server_keys
            WHERE container_id = $1 AND key_id = $2
            """,
            .integer(container),
            .bytes(id)
        ) { try key($0, keys) }
    }

    /// The keys of a container, in the order of their names.
    static func all(in container: Int64, _ keys: KeyRing, _ db: Connection) throws -> [ServerKey] {
        try db.all(
            "SELECT container_id, key_id, account_id, sealed_key FROM server_keys WHERE container_id = $1",
            .integer(container)
        ) { try key($0, keys) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The keys of an account in a container.
    package static func all(
        of account: AccountID,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [ServerKey] {
        try db.all(
            """
            SELECT container_id, key_id, account_id, sealed_key FROM server_keys
            WHERE account_id = $1 AND container_id = $2 ORDER BY key_id
            """,
            .id(account.value),
            .integer(container)
        ) { try key($0, keys) }
    }

    /// - Parameter row: A row with all columns of the table, in their order.
    package static func key(_ row: any Statement, _ keys: KeyRing) throws -> ServerKey {
        guard let account = row.withBytes(2, RandomID.init(bytes:)).map(AccountID.init) else {
            throw StorageError(.corrupt)
        }
        let id = row.bytes(1)
        let content = try SealedContent(
            keys.sealing.open(row.bytes(3), at: place(of: id, account, in: row.integer(0)))
        )
        let publicKey = try content.bytes("publicKey")
        guard SHA256.hash(of: publicKey) == id else { throw SealedContent.malformed }
        return ServerKey(
            keyID: id,
            name: try content.text("name"),
            publicKey: publicKey,
            account: account,
            createdAt: try content.moment("createdAt")
        )
    }

    static func has(_ id: [UInt8], in container: Int64, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM server_keys WHERE container_id = $1 AND key_id = $2",
            .integer(container),
            .bytes(id)
        ) { _ in true } ?? false
    }

    static func insert(_ key: ServerKey, in container: Int64, _ keys: KeyRing, _ db: Connection) throws {
        var fields = Fields()
        fields["name"] = .string(key.name)
        fields["publicKey"] = .bytes(key.publicKey)
        fields["createdAt"] = .date(key.createdAt)
        let place = place(of: key.keyID, key.account, in: container)
        try db.execute(
            "INSERT INTO server_keys (container_id, key_id, account_id, sealed_key) VALUES ($1, $2, $3, $4)",
            .integer(container),
            .bytes(key.keyID),
            .id(key.account.value),
            .bytes(try keys.sealing.seal(FieldWriter(fields).bytes, at: place))
        )
    }

    /// - Returns: Whether it was there.
    static func delete(_ id: [UInt8], in container: Int64, _ db: Connection) throws -> Bool {
        try db.changes(
            "DELETE FROM server_keys WHERE container_id = $1 AND key_id = $2",
            .integer(container),
            .bytes(id)
        ) == 1
    }

    private static func place(of id: [UInt8], _ account: AccountID, in container: Int64) -> SealedPlace {
        SealedPlace("server_keys", "sealed_key", row: .number(container), .bytes(id), .tag(account.value.tag))
    }
}
