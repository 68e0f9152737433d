/// A record type and its fields.
package struct TypeDefinition: Sendable, Hashable {
    /// The number of the type in its container; never given again. 0 for `Users`.
    package let number: Int64
    package let name: String
    package var fields: [String: FieldDefinition] = [:]
}
