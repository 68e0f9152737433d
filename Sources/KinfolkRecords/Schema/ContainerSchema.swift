package import KinfolkAccounts

/// The record types of a container, and its quotas.
package struct ContainerSchema: Sendable {
    /// A random number, which changes with the schema.
    package let stamp: Int64
    /// Whether the schema was deployed. Then only the operator changes it.
    package let isFixed: Bool
    package internal(set) var types: [String: TypeDefinition] {
        didSet {
            names = ContainerSchema.names(of: types)
            isReadableByAll = ContainerSchema.isReadableByAll(types)
        }
    }
    package let roles: Set<String>
    /// Nil if they were edited without the key.
    private let knownQuotas: Quotas?
    /// The names of the types, by their numbers.
    private var names: [Int64: String]
    /// Whether everybody may read all records of the public database, so that a reader's account and roles do not matter.
    package private(set) var isReadableByAll: Bool

    init(stamp: Int64, isFixed: Bool, types: [String: TypeDefinition], roles: Set<String>, quotas: Quotas?) {
        self.stamp = stamp
        self.isFixed = isFixed
        self.types = types
        self.roles = roles
        knownQuotas = quotas
        names = ContainerSchema.names(of: types)
        isReadableByAll = ContainerSchema.isReadableByAll(types)
    }

    private static func isReadableByAll(_ types: [String: TypeDefinition]) -> Bool {
        types.values.allSatisfy { $0.grants.permissions["_world"]?.contains(.read) == true }
    }

    private static func names(of types: [String: TypeDefinition]) -> [Int64: String] {
        Dictionary(types.values.map { ($0.number, $0.name) }) { first, _ in first }
    }

    /// The quotas of the container, for work that they limit.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if they were edited without the key.
    package func quotas() throws -> Quotas {
        guard let knownQuotas else { throw ContainerLimitsTable.corrupt }
        return knownQuotas
    }

    /// The name of the type with this number; nil if there is none.
    package func name(ofType number: Int64) -> String? {
        number < 0 ? ReservedType.type(number)?.name : names[number]
    }

    /// The type with this number; nil if there is none.
    package func type(_ number: Int64) -> TypeDefinition? {
        number < 0 ? ReservedType.type(number) : names[number].flatMap { types[$0] }
    }
}
