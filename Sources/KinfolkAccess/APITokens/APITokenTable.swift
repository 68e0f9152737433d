package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The table of API tokens. A row is trusted because its content is sealed under the keys of the store at a place that has the container
/// and the tag in it.
package enum APITokenTable {
    /// The most API tokens of a container.
    package static let limit = 100

    /// The token with this tag; nil if the container has none.
    static func token(_ tag: Tag, in container: Int64, _ keys: KeyRing, _ db: Connection) throws -> APIToken? {
        try db.first(
            "SELECT container_id, token_tag, sealed_token FROM api_tokens WHERE container_id = $1 AND token_tag = $2",
            .integer(container),
            .tag(tag)
        ) { try token($0, keys) }
    }

    /// The tokens of a container, in the order of their names.
    static func all(in container: Int64, _ keys: KeyRing, _ db: Connection) throws -> [APIToken] {
        try db.all(
            "SELECT container_id, token_tag, sealed_token FROM api_tokens WHERE container_id = $1",
            .integer(container)
        ) { try token($0, keys) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// - Parameter row: A row with all columns of the table, in their order.
    package static func token(_ row: any Statement, _ keys: KeyRing) throws -> APIToken {
        guard let tag = row.withBytes(1, Tag.init) else { throw StorageError(.corrupt) }
        let content = try SealedContent(keys.sealing.open(row.bytes(2), at: place(of: tag, in: row.integer(0))))
        return APIToken(
            tag: tag,
            name: try content.text("name"),
            origins: try content.texts("origins"),
            returnURLs: try content.texts("returnURLs"),
            allowsDiscovery: try content.boolean("allowsDiscovery"),
            createdAt: try content.moment("createdAt")
        )
    }

    static func insert(_ token: APIToken, in container: Int64, _ keys: KeyRing, _ db: Connection) throws {
        var fields = Fields()
        fields["name"] = .string(token.name)
        fields["origins"] = .stringList(token.origins)
        fields["returnURLs"] = .stringList(token.returnURLs)
        fields["allowsDiscovery"] = .boolean(token.allowsDiscovery)
        fields["createdAt"] = .date(token.createdAt)
        try db.execute(
            "INSERT INTO api_tokens (container_id, token_tag, sealed_token) VALUES ($1, $2, $3)",
            .integer(container),
            .tag(token.tag),
            .bytes(try keys.sealing.seal(FieldWriter(fields).bytes, at: place(of: token.tag, in: container)))
        )
    }

    static func delete(_ tag: Tag, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM api_tokens WHERE container_id = $1 AND token_tag = $2",
            .integer(container),
            .tag(tag)
        )
    }

    private static func place(of tag: Tag, in container: Int64) -> SealedPlace {
        SealedPlace("api_tokens", "sealed_token", row: .number(container), .tag(tag))
    }
}
