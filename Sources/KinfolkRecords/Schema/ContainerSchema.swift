/// The record types of a container.
package struct ContainerSchema: Sendable {
    /// A random number, which changes with the schema.
    package let stamp: Int64
    /// Whether the schema was deployed. Then only the operator changes it.
    package let isFixed: Bool
    package internal(set) var types: [String: TypeDefinition]
    package let roles: Set<String>

    /// The type with this number; nil if there is none.
    package func type(_ number: Int64) -> TypeDefinition? { types.values.first { $0.number == number } }
}
