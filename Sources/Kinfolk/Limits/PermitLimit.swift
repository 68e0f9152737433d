/// How many contacts each person may ask about in a container.
public struct PermitLimit: Hashable, Sendable {
    /// How many permits a person holds at most, and at first.
    public let capacity: UInt32
    /// How many permits a person gains an hour, to a millionth.
    public let perHour: Double
    /// How many permits a person without a verified e-mail address holds at most; never more than the capacity.
    public let unverifiedCapacity: UInt32

    /// 20,000 at once and 10 more an hour, which makes 107,600 in a person's first year; 100 at once without a verified address.
    public static let standard = PermitLimit(capacity: 20_000, perHour: 10)

    /// A limit of its own for a container.
    ///
    /// What a person has spent is kept, so changing a limit, or verifying an address, never gives spent permits back.
    ///
    /// - Parameters:
    ///   - capacity: How many permits a person holds at most, and at first; at least 1.
    ///   - perHour: How many a person gains an hour; not negative.
    ///   - unverifiedCapacity: How many a person without a verified address holds at most. An application that lets people in
    ///     without verifying an address gives each new account so many.
    public init(capacity: UInt32, perHour: Double, unverifiedCapacity: UInt32 = 100) {
        self.capacity = capacity
        self.perHour = perHour
        self.unverifiedCapacity = min(unverifiedCapacity, capacity)
    }
}
