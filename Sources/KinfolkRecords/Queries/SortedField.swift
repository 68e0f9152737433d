/// A SORTABLE field by which records are ordered.
struct SortedField {
    let attribute: QueryAttribute
    /// The number of the field.
    let number: Int64
    let isAscending: Bool
}
