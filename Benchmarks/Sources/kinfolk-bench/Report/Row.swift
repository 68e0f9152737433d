/// A figure with its name, its floor and its goal.
struct Row {
    let name: String
    let value: Double
    let unit: Unit
    /// The figure of the unavoidable work, in the same unit.
    var floor: Double?
    /// The figure divided by its floor.
    var ratio: Double?
    var goal: Goal?

    var isMet: Bool? { goal.flatMap { $0.isMet(by: self) } }
}

extension Row {
    /// Makes a row from a time and its floor's time.
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
