/// How many new contacts each person may search for in a container.
public struct PermitLimit: Hashable, Sendable {
    /// The number of permits that a person has at first and at most.
    public let capacity: UInt32
    /// The number of permits that a person gains per hour, to a millionth.
    public let perHour: Double
    /// The number of permits that a person without a verified e-mail address has at most; never more than the capacity.
    public let unverifiedCapacity: UInt32

    /// 20,000 at once and 10 more per hour, which is 107,600 in a person's first year; 100 at once without a verified address.
    public static let standard = PermitLimit(capacity: 20_000, perHour: 10)

    /// Creates a limit for a container.
    ///
    /// What a person has spent is kept, so changing a limit or verifying an address never gives spent permits back.
    ///
    /// - Parameters:
    ///   - capacity: The number of permits that a person has at first and at most; at least 1.
    ///   - perHour: The number of permits that a person gains per hour; not negative.
    ///   - unverifiedCapacity: The number of permits that a person without a verified address has at most. An application that
    ///     admits people without verifying an address gives this many to each new account.
    public init(capacity: UInt32, perHour: Double, unverifiedCapacity: UInt32 = 100) {
        self.capacity = capacity
        self.perHour = perHour
        self.unverifiedCapacity = min(unverifiedCapacity, capacity)
    }
}
