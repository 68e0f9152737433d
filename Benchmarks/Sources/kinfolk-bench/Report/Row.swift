/// A figure, what it is of, and what it stands beside.
struct Row {
    let name: String
    let value: Double
    let unit: Unit
    /// The same work without anything that could be left out, in the same unit.
    var floor: Double?
    /// The figure over its floor.
    var ratio: Double?
    var goal: Goal?

    var isMet: Bool? { goal.flatMap { $0.isMet(by: self) } }
}

extension Row {
    /// A time beside its floor's.
    init(_ name: String, _ pair: Pair, in unit: Unit, goal: Goal? = nil) {
        self.init(
            name: name,
            value: pair.product * unit.perSecondOfTime,
            unit: unit,
            floor: pair.floor * unit.perSecondOfTime,
            ratio: pair.ratio,
            goal: goal
        )
    }
}
