import KinfolkModel

/// What changes in one record type.
struct TypePlan {
    let name: String
    /// The type as it is; nil for a new one.
    let before: TypeDefinition?
    var addedFields: [DeclaredField] = []
    var removedFields: [String] = []
    /// The new options of fields that stay.
    var options: [String: FieldDefinition.Options] = [:]
    /// Nil if they stay as they are.
    var systemIndexes: SystemIndexes?
    /// Nil if they stay as they are.
    var grants: Grants?
    var isRemoved = false

    init(_ name: String, before: TypeDefinition?) {
        self.name = name
        self.before = before
    }

    /// How many fields the type has afterwards.
    var fieldCount: Int { isRemoved ? 0 : (before?.fields.count ?? 0) + addedFields.count - removedFields.count }

    /// Whether records that exist change.
    var changesRecords: Bool { before != nil && (isRemoved || !removedFields.isEmpty) }
}
