/// What a schema text, or a deployment, changes in the schema of a container.
public struct SchemaDifference: Sendable, Hashable {
    /// The changes one after another: roles, then record types with their fields, indexes and grants.
    public let changes: [SchemaChange]

    /// Whether nothing changes.
    public var isEmpty: Bool { changes.isEmpty }

    init(_ changes: [SchemaChange]) { self.changes = changes }
}

extension SchemaDifference: CustomStringConvertible {
    /// The changes for people, with one line for each. Empty if nothing changes.
    public var description: String { changes.map { "\($0)\n" }.joined() }
}
