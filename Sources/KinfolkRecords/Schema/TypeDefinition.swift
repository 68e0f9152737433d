/// A record type and its fields.
package struct TypeDefinition: Sendable, Hashable {
    /// The number of the type in its container; never given again. 0 for `Users`.
    package let number: Int64
    package let name: String
    package var fields: [String: FieldDefinition] = [:]
    package var systemIndexes = SystemIndexes()
    /// Nil for the grants that a type has if none are declared.
    package var declaredGrants: Grants?

    package var grants: Grants { declaredGrants ?? .standard(for: name) }
}
