import KinfolkModel
import KinfolkStorage

/// How the operator changes the tables of a schema. Call `SchemaTable.takeNumbers` in the same transaction: it notes the change.
enum SchemaChangesTable {
    /// From now on only the operator changes the schema.
    static func fix(_ container: Int64, _ db: Connection) throws {
        try db.execute("UPDATE schemas SET is_fixed = 1 WHERE container_id = $1", .integer(container))
    }

    static func delete(field name: String, of type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM fields WHERE container_id = $1 AND type = $2 AND name = $3",
            .integer(container),
            .integer(type),
            .text(name)
        )
    }

    /// Writes the options of a field, and which of its indexes are complete.
    private static func set(
        _ field: FieldDefinition,
        named name: String,
        of type: Int64,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            "UPDATE fields SET options = $4, built = $5, unicode = $6 WHERE container_id = $1 AND type = $2 AND name = $3",
            .integer(container),
            .integer(type),
            .text(name),
            .integer(field.options.rawValue),
            .integer(field.built.rawValue),
            .integer(field.textVersion.rawValue)
        )
    }

    /// Writes what changed in the indexes of a type.
    static func set(_ type: TypeDefinition, over before: TypeDefinition, in container: Int64, _ db: Connection) throws {
        for (name, field) in type.fields where before.fields[name].map({ $0 != field }) ?? false {
            try set(field, named: name, of: type.number, in: container, db)
        }
        guard type.hasCreatorEntries != before.hasCreatorEntries else { return }
        try set(hasCreatorEntries: type.hasCreatorEntries, of: type.number, in: container, db)
    }

    private static func set(hasCreatorEntries: Bool, of type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE record_types SET has_creator_entries = $3 WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type),
            .integer(hasCreatorEntries ? 1 : 0)
        )
    }

    static func set(_ indexes: SystemIndexes, of type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE record_types SET system_indexes = $3 WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type),
            .integer(indexes.rawValue)
        )
    }

    /// Sets the declared grants of a record type; nil for those that a type has without a declaration.
    static func set(_ grants: Grants?, of type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM grants WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type)
        )
        for role in grants?.roles ?? [] {
            try db.execute(
                "INSERT INTO grants (container_id, type, role, permissions) VALUES ($1, $2, $3, $4)",
                .integer(container),
                .integer(type),
                .text(role),
                .integer(grants?.permissions[role]?.rawValue ?? 0)
            )
        }
    }

    /// Deletes a record type with its fields and grants.
    static func delete(type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM fields WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type)
        )
        try db.execute(
            "DELETE FROM grants WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type)
        )
        try IndexBuildTable.delete(type, in: container, db)
        try db.execute(
            "DELETE FROM record_types WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type)
        )
    }

    static func insert(role name: String, in container: Int64, _ db: Connection) throws {
        try db.execute("INSERT INTO roles (container_id, name) VALUES ($1, $2)", .integer(container), .text(name))
    }

    static func delete(role name: String, in container: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM roles WHERE container_id = $1 AND name = $2", .integer(container), .text(name))
    }
}
