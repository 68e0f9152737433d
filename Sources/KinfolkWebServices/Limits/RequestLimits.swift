/// How many requests the service takes from each network, application and person.
public struct RequestLimits: Sendable {
    /// How many requests a second are taken for long, and how many at once.
    public struct Rate: Sendable, Hashable {
        public var perSecond: Double
        public var burst: Double

        public init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }
    }

    /// For each IPv4 address, and each /64 network of IPv6. Loopback addresses have no limit: a proxy on the same machine has its own.
    public var network = Rate(perSecond: 200, burst: 2_000)
    /// For each API token and each server key.
    public var application = Rate(perSecond: 50_000, burst: 100_000)
    /// For each signed-in person in a container.
    public var person = Rate(perSecond: 50, burst: 500)
    /// For mails with codes that a network asks for.
    public var mails = Rate(perSecond: 1.0 / 180, burst: 20)
    /// How many streams of events and long polls a user of a container may have open.
    public var waits = 100
    /// For codes and passwords of URLs that a network tries.
    public var tries = Rate(perSecond: 1.0 / 30, burst: 60)

    public init() {}
}
