import Logging
import NIOCore

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

    init(responder: any Responder, limits: ServerLimits, proxies: TrustedProxies, logger: Logger) {
        self.responder = responder
        self.limits = limits
        self.proxies = proxies
        self.logger = logger
        bodyMemory = BodyMemory(limit: limits.bodyMemory)
        census = ConnectionCensus(limit: limits.connections, limitPerAddress: limits.connectionsPerAddress)
        logsRequests = logger.logLevel <= .debug
    }
}
