import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

/// Makes the handlers of accepted connections.
final class ConnectionSetup: Sendable {
    private let server: ServerContext
    private let certificate: TLSCertificate?
    private let states: [ObjectIdentifier: LoopState]

    init(_ server: ServerContext, _ certificate: TLSCertificate?, _ loops: [LoopState]) {
        self.server = server
        self.certificate = certificate
        states = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.loop), $0) })
    }

    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { try configure(channel) }
    }

    private func configure(_ channel: any Channel) throws {
        guard let state = states[ObjectIdentifier(channel.eventLoop)] else { return }
        try? channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
        // Finds out about clients that are gone while they wait for an answer.
        try? channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
        try? channel.syncOptions?.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)), value: 60)
        let connection = ConnectionHandler(Peer(channel.remoteAddress, server.proxies), server, state)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connection)
        let admission = connection.enter()
        guard admission == .admitted else {
            // Before TLS there is nobody to talk to.
            guard certificate == nil, admission != .unanswered else { return channel.close(promise: nil) }
            return try pipeline.addHandler(RefusingHandler(admission))
        }
        guard let certificate else { return try addHTTP1(to: channel, connection, state) }
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        let closing = ClosingHandler()
        let bound = NIOLoopBound((connection, closing), eventLoop: channel.eventLoop)
        let negotiation = ApplicationProtocolNegotiationHandler { [self] result, channel in
            channel.eventLoop.makeCompletedFuture {
                let (connection, closing) = bound.value
                _ = channel.pipeline.syncOperations.removeHandler(closing)
                if case .negotiated("h2") = result {
                    try addHTTP2(to: channel, connection, state)
                } else {
                    try addHTTP1(to: channel, connection, state)
                }
            }
        }
        try pipeline.addHandler(negotiation)
        try pipeline.addHandler(closing)
    }

    private func addHTTP1(to channel: any Channel, _ connection: ConnectionHandler, _ state: LoopState) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = server.limits.headerBytes
        limits.maxHeaderListSize = server.limits.headerBytes
        limits.maxHeaderFieldCount = server.limits.headerCount
        let handler = RequestHandler(connection.peer, stream: nil, server, state)
        connection.protocolIsKnown(isHTTP2: false)
        connection.http1 = handler
        let pipeline = channel.pipeline.syncOperations
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        )
        try pipeline.addHandlers(decoder, handler)
    }

    private func addHTTP2(to channel: any Channel, _ connection: ConnectionHandler, _ state: LoopState) throws {
        var settings = NIOHTTP2Handler.Configuration()
        settings.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: server.limits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: server.limits.headerBytes),
        ]
        settings.stream.outboundBufferSizeHighWatermark = 128 << 10
        settings.stream.outboundBufferSizeLowWatermark = 32 << 10
        // Only for the end of a connection: its timers begin with a connection, and this one has begun.
        let management = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: nil,
                maxAge: nil,
                maxGraceTime: server.limits.drainTimeout,
                keepalive: nil
            )
        )
        let (server, bound) = (server, NIOLoopBound(connection, eventLoop: channel.eventLoop))
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: settings.connection,
            streamConfiguration: settings.stream,
            streamDelegate: management.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers(
                    HTTP2FramePayloadToHTTP1ServerCodec(),
                    RequestHandler(bound.value.peer, stream: bound.value, server, state)
                )
            }
        }
        try channel.pipeline.syncOperations.addHandler(management)
        try channel.pipeline.syncOperations.addHandler(ClosingHandler())
        connection.protocolIsKnown(isHTTP2: true)
    }
}
