public import Logging
import NIOConcurrencyHelpers
public import NIOCore
import NIOPosix
import NIOSSL

/// A server of HTTP/1.1 and HTTP/2 on one or more listeners.
///
/// It may be used from any thread but those of its event loops.
public final class HTTPServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let loops: [LoopState]
    private let context: ServerContext
    private let listeners: [any Channel]

    /// Binds the listeners and begins to answer.
    ///
    /// - Parameter certificate: Nil for a server without TLS.
    public init(
        _ listeners: [Listener],
        certificate: TLSCertificate? = nil,
        responder: any Responder,
        limits: ServerLimits = ServerLimits(),
        proxies: TrustedProxies = TrustedProxies(),
        threads: Int,
        logger: Logger
    ) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let loops = Array(group.makeIterator()).map(LoopState.init)
        let context = ServerContext(responder: responder, limits: limits, proxies: proxies, logger: logger)
        let setup = ConnectionSetup(context, certificate, loops)
        var channels: [any Channel] = []
        do {
            for listener in listeners {
                let bootstrap = ServerBootstrap(group: group)
                    .serverChannelOption(.backlog, value: 1024)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelInitializer { channel in setup.initialize(channel) }
                    .childChannelOption(.allowRemoteHalfClosure, value: true)
                    .childChannelOption(.maxMessagesPerRead, value: 1)
                channels.append(try bootstrap.channel(for: listener).wait())
            }
        } catch {
            for channel in channels { try? channel.close().wait() }
            throw error
        }
        for loop in loops { try loop.loop.submit(loop.start).wait() }
        self.group = group
        self.loops = loops
        self.context = context
        self.listeners = channels
    }

    /// The addresses that it listens on, with the real port if port 0 was asked for.
    public var addresses: [SocketAddress] { listeners.compactMap(\.localAddress) }

    /// The number of connections.
    public var connections: Int { context.census.total }

    /// What all connections have counted until now, in Prometheus' text format.
    public func metrics(_ completion: @escaping @Sendable (String) -> Void) {
        let first = loops[0].loop
        let all = EventLoopFuture.whenAllSucceed(loops.map { state in state.loop.submit { state.metrics } }, on: first)
        all.whenComplete { [context] result in
            var sum = Metrics()
            for metrics in (try? result.get()) ?? [] { sum.add(metrics) }
            completion(sum.text(connections: context.census.total))
        }
    }

    /// Whether all event loops run.
    public func responds(within limit: TimeAmount) -> Bool {
        let missing = NIOLockedValueBox(loops.count)
        for state in loops { state.loop.execute { missing.withLockedValue { $0 -= 1 } } }
        let end = NIODeadline.now() + limit
        while missing.withLockedValue({ $0 }) > 0 {
            guard NIODeadline.now() < end else { return false }
            Pause.sleep(.milliseconds(1))
        }
        return true
    }

    /// Accepts no more connections, and lets the requests that arrive until their connections close be answered.
    public func stopAccepting() {
        // First, so that each answer that is sent once the port is refused says that its connection closes.
        for state in loops { try? state.loop.submit(state.beginDrain).wait() }
        for listener in listeners { try? listener.close().wait() }
        // Also waits until the connections that were just accepted are counted.
        for state in loops { try? state.loop.submit(state.drain).wait() }
    }

    /// Waits until all connections have ended. After the drain limit it ends them.
    ///
    /// The threads stay until the process ends: a shutdown of the group starts threads of libdispatch, which write to standard error that they
    /// may not raise their priority.
    ///
    /// - Returns: Whether all requests were answered.
    public func drain() -> Bool {
        let limit = NIODeadline.now() + context.limits.drainTimeout
        while connections > 0, NIODeadline.now() < limit { Pause.sleep(.milliseconds(20)) }
        let isDrained = connections == 0
        for state in loops { try? state.loop.submit(state.end).wait() }
        for state in loops { try? state.loop.submit(state.stop).wait() }
        return isDrained
    }
}

extension ServerBootstrap {
    fileprivate func channel(for listener: Listener) -> EventLoopFuture<any Channel> {
        switch listener {
        case .address(let address): bind(to: address)
        case .inherited(let socket): withBoundSocket(socket)
        }
    }
}
