import KinfolkModel

/// How large the schema of a container may be. The export of the largest schema is shorter than the longest text that is read.
enum SchemaLimits {
    static let types = 1_000
    /// In the container. A record type has at most `Record.maximumFields`.
    static let fields = 10_000
    static let roles = 100
    /// Pairs of a record type and a role, where grants were declared.
    static let grants = 10_000
    /// In bytes of UTF-8.
    static let text = 8_000_000

    static func require(
        fieldsOfType: Int = 0,
        fields: Int = 0,
        types: Int = 0,
        roles: Int = 0,
        grants: Int = 0
    ) throws(KinfolkError) {
        try require(fieldsOfType, atMost: Record.maximumFields, "A record type", "fields")
        try require(fields, atMost: SchemaLimits.fields, "A container", "fields")
        try require(types, atMost: SchemaLimits.types, "A container", "record types")
        try require(roles, atMost: SchemaLimits.roles, "A container", "roles")
        try require(grants, atMost: SchemaLimits.grants, "A container", "declared grants")
    }

    private static func require(_ count: Int, atMost limit: Int, _ owner: String, _ what: String) throws(KinfolkError) {
        guard count <= limit else { throw KinfolkError(.limitExceeded, "\(owner) has at most \(limit) \(what).") }
    }
}
