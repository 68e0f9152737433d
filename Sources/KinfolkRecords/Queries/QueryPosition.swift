import KinfolkModel

/// The place of a record in the order of a query. Neither rotations of keys nor changes of other records change it.
struct QueryPosition: Sendable, Hashable {
    let values: [OrderValue?]
    /// The random number that decides between equal values of a SORTABLE field; nil in other orders.
    let tie: UInt64?
    /// The internal number of the record.
    let number: Int64

    /// The key in the order of a SORTABLE field; nil if the record has no value.
    var orderKey: OrderKey? {
        guard let value = values.first.flatMap(\.self), let tie else { return nil }
        return OrderKey(value: value, tie: tie, number: number)
    }
}
