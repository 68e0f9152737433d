/// What a person has spent of a limit and not regained yet, as of a moment.
///
/// Not what is left: then a ceiling may rise, and fall, and nothing is gained or lost by that.
struct Spending: Equatable {
    /// More is never stored.
    static let most: Int64 = 1 << 61
    static func none(at now: Timestamp) -> Spending { Spending(millionths: 0, countedAt: now) }

    /// In millionths; never negative.
    let millionths: Int64
    let countedAt: Timestamp

    /// The store may say anything, so it is clamped.
    init(millionths: Int64, countedAt: Timestamp) {
        self.millionths = min(max(millionths, 0), Spending.most)
        self.countedAt = countedAt
    }

    /// What of it is not regained at a later moment. If the clock was set back since, nothing is regained, and time counts from now.
    func at(_ now: Timestamp, _ limit: Limit) -> Spending {
        let regained = limit.regained(from: countedAt, to: now)
        return Spending(millionths: regained >= millionths ? 0 : millionths - regained, countedAt: now)
    }

    /// The same after so much more, or less, was spent.
    func adding(_ count: Int64) -> Spending {
        let difference = Limit.millionths(Int64(clamping: count.magnitude))
        let sum = count < 0 ? millionths - difference : millionths + difference
        return Spending(millionths: sum, countedAt: countedAt)
    }

    /// How many millionths are left of a limit.
    func left(of limit: Limit) -> Int64 { max(0, limit.ceilingInMillionths - millionths) }
}
