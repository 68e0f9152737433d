import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The tables of schemas: record types, their fields and grants, and roles.
package enum SchemaTable {
    package struct Stamp {
        package let value: Int64
        package let isFixed: Bool
    }

    /// Inserts the schema of a new container, which has only the type of user records.
    package static func insert(for container: Int64, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            "INSERT INTO schemas (container_id, stamp, is_fixed, last_number) VALUES ($1, $2, 0, 0)",
            .integer(container),
            .integer(newStamp())
        )
        try insert(TypeDefinition(number: 0, name: RecordType.users), in: container, keys, db)
    }

    private static func newStamp() -> Int64 {
        var stamp: Int64 = 0
        withUnsafeMutableBytes(of: &stamp, SecureRandom.fill)
        return stamp
    }

    package static func stamp(of container: Int64, _ db: Connection) throws -> Stamp {
        guard let stamp = try storedStamp(of: container, db) else {
            throw KinfolkError.damaged("A container has no schema.")
        }
        return stamp
    }

    static func storedStamp(of container: Int64, _ db: Connection) throws -> Stamp? {
        try db.first("SELECT stamp, is_fixed FROM schemas WHERE container_id = $1", .integer(container)) {
            Stamp(value: $0.integer(0), isFixed: $0.integer(1) != 0)
        }
    }

    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if a record type or its grants were edited without the key.
    package static func schema(
        of container: Int64,
        _ stamp: Stamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> ContainerSchema {
        var types = try types(of: container, keys, db)
        _ = try db.all(
            "SELECT type, name, number, value_type, options, built, unicode FROM fields WHERE container_id = $1",
            .integer(container)
        ) { row in
            guard let type = UInt8(exactly: row.integer(3)).flatMap(FieldType.init(rawValue:)) else {
                throw KinfolkError.damaged("A field of the schema has no valid type.")
            }
            types[row.integer(0)]?.fields[row.text(1)] = FieldDefinition(
                stored: row.integer(2),
                type,
                FieldDefinition.Options(rawValue: row.integer(4)),
                FieldIndexes(rawValue: row.integer(5)),
                TextVersion(rawValue: row.integer(6))
            )
        }
        let roles = try db.all("SELECT name FROM roles WHERE container_id = $1", .integer(container)) { $0.text(0) }
        return ContainerSchema(
            stamp: stamp.value,
            isFixed: stamp.isFixed,
            types: Dictionary(types.values.map { ($0.name, $0) }) { first, _ in first },
            roles: Set(roles),
            quotas: try quotas(of: container, keys, db)
        )
    }

    /// Nil if the limits were edited without the key: then everything is possible but saving.
    private static func quotas(of container: Int64, _ keys: KeyRing, _ db: Connection) throws -> Quotas? {
        do { return try ContainerLimitsTable.limits(of: container, keys, db).quotas } catch let error as KinfolkError {
            guard error.code == .storeCorrupt else { throw error }
            return nil
        }
    }

    /// The record types of a container by their numbers, verified, with their grants and without fields.
    package static func types(
        of container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [Int64: TypeDefinition] {
        var types: [Int64: TypeDefinition] = [:]
        var codes: [Int64: [UInt8]] = [:]
        _ = try db.all(
            "SELECT type, name, system_indexes, code, has_creator_entries FROM record_types WHERE container_id = $1",
            .integer(container)
        ) { row in
            types[row.integer(0)] = TypeDefinition(
                number: row.integer(0),
                name: row.text(1),
                systemIndexes: SystemIndexes(rawValue: row.integer(2)),
                hasCreatorEntries: row.integer(4) != 0
            )
            codes[row.integer(0)] = row.isNull(3) ? nil : row.bytes(3)
        }
        _ = try db.all("SELECT type, role, permissions FROM grants WHERE container_id = $1", .integer(container)) {
            row in
            let type = row.integer(0)
            var grants = types[type]?.declaredGrants?.permissions ?? [:]
            grants[row.text(1)] = Grants.Permissions(rawValue: row.integer(2))
            types[type]?.declaredGrants = Grants(grants)
        }
        guard types.values.allSatisfy({ isAuthentic($0, codes[$0.number], in: container, keys) }) else {
            throw KinfolkError.damaged(
                "A record type or its grants are not authentic: the store was edited without the key."
            )
        }
        return types
    }

    /// Takes new numbers for types and fields, and notes that the schema changes. Returns the first number.
    package static func takeNumbers(_ count: Int, in container: Int64, _ db: Connection) throws -> Int64 {
        let last = try db.first(
            """
            UPDATE schemas SET stamp = $2, last_number = last_number + $3
            WHERE container_id = $1 AND last_number BETWEEN 0 AND $4 RETURNING last_number
            """,
            .integer(container),
            .integer(newStamp()),
            .integer(Int64(count)),
            .integer(Int64.max - Int64(count))
        ) { $0.integer(0) }
        guard let last else { throw KinfolkError.damaged("A container has no schema.") }
        return last - Int64(count) + 1
    }

    /// Notes that something has changed that is cached with the schema.
    static func renewStamp(of container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE schemas SET stamp = $2 WHERE container_id = $1",
            .integer(container),
            .integer(newStamp())
        )
    }

    /// Whether a type and its grants are those that were last written with the key. Version 0.1.0 wrote no code for user records, which
    /// had no declared grants.
    private static func isAuthentic(
        _ type: TypeDefinition,
        _ code: [UInt8]?,
        in container: Int64,
        _ keys: KeyRing
    ) -> Bool {
        guard let code else { return type.number == 0 && type.name == RecordType.users && type.declaredGrants == nil }
        return keys.isAuthentic(code, of: type.message(in: container))
    }

    /// Writes the authentication code of a record type.
    package static func authenticate(
        _ type: TypeDefinition,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws {
        try db.execute(
            "UPDATE record_types SET code = $3 WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type.number),
            .tag(keys.authenticationCode(of: type.message(in: container)))
        )
    }

    package static func insert(
        _ type: TypeDefinition,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws {
        try db.execute(
            "INSERT INTO record_types (container_id, type, name, system_indexes, code) VALUES ($1, $2, $3, $4, $5)",
            .integer(container),
            .integer(type.number),
            .text(type.name),
            .integer(type.systemIndexes.rawValue),
            .tag(keys.authenticationCode(of: type.message(in: container)))
        )
    }

    package static func insert(
        _ field: FieldDefinition,
        named name: String,
        of type: Int64,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO fields (container_id, type, name, number, value_type, options, built, unicode)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            .integer(container),
            .integer(type),
            .text(name),
            .integer(field.number),
            .integer(Int64(field.type.rawValue)),
            .integer(field.options.rawValue),
            .integer(field.built.rawValue),
            .integer(field.textVersion.rawValue)
        )
    }
}
