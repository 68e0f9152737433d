/// How many contacts each person may ask about in a container.
public struct PermitLimit: Hashable, Sendable {
    /// How many permits a person holds at most, and at first.
    public let capacity: UInt32
    /// How many permits a person gains an hour.
    public let perHour: Double

    /// 20,000 at once and 10 more an hour: 107,600 in a person's first year.
    public static let standard = PermitLimit(capacity: 20_000, perHour: 10)

    /// A limit of its own for a container.
    ///
    /// - Parameters:
    ///   - capacity: How many permits a person holds at most, and at first; at least 1.
    ///   - perHour: How many a person gains an hour; not negative.
    public init(capacity: UInt32, perHour: Double) {
        self.capacity = capacity
        self.perHour = perHour
    }
}
