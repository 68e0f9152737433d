/// How large a query may be.
package enum QueryLimits {
    /// Of a predicate's text, in bytes of UTF-8.
    package static let text = 16_384
    /// How deeply predicates and parentheses are nested.
    package static let depth = 64
    /// Comparisons and the values of their lists.
    package static let terms = 1_000
    /// As how many comparisons a distance counts, because it is looked up in many cells.
    package static let distanceTerms = 20
    /// Of all values of a predicate together, counted as in a record.
    package static let valueBytes = 1_000_000
    package static let sortDescriptors = 8
}
