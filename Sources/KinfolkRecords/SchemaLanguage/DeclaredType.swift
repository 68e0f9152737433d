import KinfolkModel

/// A record type as a schema text declares it.
struct DeclaredType: Sendable {
    let name: String
    /// Nil if it is not from a text.
    let position: SchemaPosition?
    var fields: [DeclaredField] = []
    /// The indexes of the system fields that are declared.
    var systemIndexes: [SystemField: FieldIndexes] = [:]
    /// Nil if none are declared.
    var grants: Grants?
    /// Where each role is first named.
    var rolePositions: [String: SchemaPosition] = [:]

    init(name: String, position: SchemaPosition?) {
        self.name = name
        self.position = position
    }

    init(_ type: TypeDefinition) {
        self.init(name: type.name, position: nil)
        fields = type.fields.sorted { $0.key < $1.key }.map {
            DeclaredField(name: $0.key, kind: $0.value.type, options: $0.value.options, position: nil)
        }
        for field in SystemField.allCases where !type.systemIndexes[field].isEmpty {
            systemIndexes[field] = type.systemIndexes[field]
        }
        grants = type.declaredGrants
    }
}
