import KinfolkModel

/// A comparison of a location's distance.
struct QueryDistanceTest: Sendable, Hashable {
    let from: Location
    let relation: QueryPredicate.Distance.Relation
    let metres: Double

    /// Whether the locations that satisfy it are in a circle.
    var isWithin: Bool { relation == .less || relation == .lessOrEqual }

    func holds(for location: Location) -> Bool {
        let distance = from.distance(from: location)
        return switch relation {
        case .less: distance < metres
        case .lessOrEqual: distance <= metres
        case .greater: distance > metres
        case .greaterOrEqual: distance >= metres
        }
    }

    /// The search of an index for the locations that are near enough; nil if the index is of no use.
    ///
    /// - Parameter field: The number of the field.
    func search(field: Int64, in scope: IndexScope) -> CellSearch? {
        guard isWithin else { return nil }
        return CellSearch(within: metres, of: from, isInclusive: relation == .lessOrEqual, field: field, in: scope)
    }
}
