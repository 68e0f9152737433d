/// How large a predicate is.
struct QueryExtent: Sendable, Hashable {
    /// Comparisons and the values of their lists. A distance counts as ``QueryLimits/distanceTerms``.
    var terms = 1
    /// The bytes of the values.
    var bytes = 0

    /// The extent of a predicate that is made of these ones.
    static func joining(_ extents: some Sequence<QueryExtent>) -> QueryExtent {
        extents.reduce(into: QueryExtent(terms: 0)) { whole, part in
            // Each part is within the limits, so that the sums of as many as fit into memory do not overflow.
            whole.terms += part.terms
            whole.bytes += part.bytes
        }
    }

    /// - Throws: ``QueryFault`` with `limitExceeded`.
    static func validate(depth: Int) throws(QueryFault) {
        guard depth <= QueryLimits.depth else {
            throw QueryFault("predicates are nested at most \(QueryLimits.depth) deep.", .limitExceeded)
        }
    }

    /// - Throws: ``QueryFault`` with `limitExceeded`.
    func validate() throws(QueryFault) {
        guard terms <= QueryLimits.terms else {
            throw QueryFault(
                """
                a predicate has at most \(QueryLimits.terms) comparisons and values of lists together, and a distance counts as \
                \(QueryLimits.distanceTerms).
                """,
                .limitExceeded
            )
        }
        guard bytes <= QueryLimits.valueBytes else {
            throw QueryFault(
                "the values of a predicate have at most \(QueryLimits.valueBytes) bytes together.",
                .limitExceeded
            )
        }
    }
}
