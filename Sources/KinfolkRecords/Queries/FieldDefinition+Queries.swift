import KinfolkModel

extension FieldDefinition {
    /// Whether queries may use one of the indexes. One that is being built lacks records.
    func isUsable(_ index: Options) -> Bool { has(index.indexes, .certain) && (index != .sortable || hasOrder) }

    /// The index, if queries may not use it and the field can have it.
    func lack(_ index: Options, _ name: String) -> [QueryExplanation.Index] {
        let isPossible =
            index == .sortable
            ? hasOrder && !options.contains(.encrypted)
            : DeclaredField.refusal(of: index.indexes, for: type, isEncrypted: options.contains(.encrypted)) == nil
        guard isPossible, !isUsable(index) else { return [] }
        return [QueryExplanation.Index(name, index.indexes, isBeingBuilt: options.contains(index))]
    }

    /// Whether the values have an order. The schema language accepts SORTABLE for other types too.
    var hasOrder: Bool {
        switch type {
        case .string, .int64, .double, .boolean, .date: true
        default: false
        }
    }
}
