import KinfolkModel

/// What a schema text declares.
struct DeclaredSchema: Sendable {
    struct Role: Sendable {
        let name: String
        /// Nil if it is not from a text.
        let position: SchemaPosition?
    }

    var roles: [Role] = []
    var types: [DeclaredType] = []

    init() {}

    /// The declaration of a schema that a container has, in the order of names.
    init(_ schema: ContainerSchema) {
        roles = schema.roles.sorted().map { Role(name: $0, position: nil) }
        types = schema.types.values.sorted { $0.name < $1.name }.map(DeclaredType.init)
    }
}
