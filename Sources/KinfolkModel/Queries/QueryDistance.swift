/// How far a field's location is from another one. A predicate compares it with metres.
///
/// It is the length of the great circle on a sphere with the mean radius of Earth, 6,371,008.8 m. A field without a value is neither near nor
/// far.
public struct QueryDistance: Sendable, Hashable {
    let field: QueryField
    let from: Location

    /// It is less than so many metres.
    public static func < (distance: QueryDistance, metres: Double) -> QueryPredicate { distance.compare(.less, metres) }

    /// It is at most so many metres.
    public static func <= (distance: QueryDistance, metres: Double) -> QueryPredicate {
        distance.compare(.lessOrEqual, metres)
    }

    /// It is more than so many metres.
    public static func > (distance: QueryDistance, metres: Double) -> QueryPredicate {
        distance.compare(.greater, metres)
    }

    /// It is at least so many metres.
    public static func >= (distance: QueryDistance, metres: Double) -> QueryPredicate {
        distance.compare(.greaterOrEqual, metres)
    }

    private func compare(_ relation: QueryPredicate.Distance.Relation, _ metres: Double) -> QueryPredicate {
        QueryPredicate { () throws(QueryFault) in
            try QueryPredicate.distance(field, from: from, relation, metres)
        }
    }
}

extension QueryDistance: Redacted {}
