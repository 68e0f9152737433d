import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// What all connections of a server share.
final class ServerContext: Sendable {
    let responder: any Responder
    let limits: ServerLimits
    let proxies: TrustedProxies
    let bodyMemory: BodyMemory
    let census: ConnectionCensus
    let logger: Logger
    /// Whether requests are logged; saves making the line.
    let logsRequests: Bool
    private let hasWarned = Atomic(false)

    init(responder: any Responder, limits: ServerLimits, proxies: TrustedProxies, logger: Logger) {
        self.responder = responder
        self.limits = limits
        self.proxies = proxies
        self.logger = logger
        bodyMemory = BodyMemory(limit: limits.bodyMemory)
        census = ConnectionCensus(limit: limits.connections, limitPerAddress: limits.connectionsPerAddress)
        logsRequests = logger.logLevel <= .debug
    }

    /// Warns once of a proxy on this machine that is not trusted: limits by network do not hold for its clients.
    func note(_ headers: HTTPHeaders, of peer: Peer) {
        guard peer.isUntrustedNeighbour, !hasWarned.load(ordering: .relaxed),
            ["x-forwarded-for", "forwarded", "x-real-ip"].contains(where: { headers.contains(name: $0) }),
            !hasWarned.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            "A proxy on this machine is not trusted (trusted-proxy). So limits by network do not hold for its clients."
        )
    }
}
