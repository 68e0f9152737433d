package import KinfolkModel

/// What decides the place of a record in the order of a field: the value, and among equal values a random number that is sealed in the
/// record.
///
/// If equal values were in the order of their record numbers, which the store shows, that would show where one value ends and the next
/// begins.
package struct OrderKey: Comparable, Sendable {
    package let value: OrderValue
    package let tie: UInt64
    package let number: Int64

    package init(value: OrderValue, tie: UInt64, number: Int64) {
        self.value = value
        self.tie = tie
        self.number = number
    }

    /// Nil if the record has no value in this field that could be ordered.
    package init?(of content: RecordContent, number: Int64, in field: String) {
        guard let value = content.fields[field].flatMap(OrderValue.init) else { return nil }
        self.value = value
        tie = content.tie
        self.number = number
    }

    package static func < (left: OrderKey, right: OrderKey) -> Bool {
        if left.value != right.value { return left.value < right.value }
        return (left.tie, left.number) < (right.tie, right.number)
    }
}
