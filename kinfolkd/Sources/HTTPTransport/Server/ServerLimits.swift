public import NIOCore

/// What one server accepts from its clients.
public struct ServerLimits: Sendable {
    /// The largest number of connections. More are answered with status 503.
    public var connections = 10_000
    /// The largest number of connections from one address; of IPv6, from one /64 network. Trusted proxies are exempt.
    public var connectionsPerAddress = 256
    /// The largest head of a request in bytes: its target and its headers.
    public var headerBytes = 32 << 10
    /// The largest number of headers.
    public var headerCount = 100
    /// The memory for the bodies of all requests and answers together, in bytes.
    public var bodyMemory = 256 << 20
    /// The time from the first byte of a request to the end of its headers, and from a new connection to the end of its first headers.
    public var headerTimeout: TimeAmount = .seconds(15)
    /// The time without a request after which a connection is closed.
    public var idleTimeout: TimeAmount = .seconds(75)
    /// The period in which a body must make progress; see ``minimumRate``.
    public var bodyTimeout: TimeAmount = .seconds(30)
    /// The time in which a client must read a piece of an answer. A piece has at most 64 KiB.
    public var writeTimeout: TimeAmount = .seconds(30)
    /// The bytes per second that a body must have in each period of ``bodyTimeout``.
    public var minimumRate = 500
    /// The time that requests have to end when the server stops.
    public var drainTimeout: TimeAmount = .seconds(30)
    /// The largest number of simultaneous requests on one connection of HTTP/2.
    public var streams = 100

    public init() {}
}
