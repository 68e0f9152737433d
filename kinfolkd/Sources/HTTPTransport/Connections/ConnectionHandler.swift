import NIOCore
import NIOPosix

/// The first handler of a connection: counts it and its bytes, and ends it if its client does not begin to speak.
final class ConnectionHandler: Watched, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    let peer: Peer
    private let server: ServerContext
    private let loop: LoopState
    private var context: ChannelHandlerContext?
    private var admission: ConnectionCensus.Admission?
    private var isSpeakingHTTP2 = false
    private var isEnding = false
    private var streams = 0
    /// The time that a client has to read why its connection is refused, or to end an idle connection of HTTP/2.
    private static let farewell = TimeAmount.seconds(2)
    /// The handler of the requests of HTTP/1. Nil before the protocol is known, and for HTTP/2.
    var http1: RequestHandler?

    init(_ peer: Peer, _ server: ServerContext, _ loop: LoopState) {
        self.peer = peer
        self.server = server
        self.loop = loop
    }

    /// Counts the connection. The caller closes it if it is not admitted.
    func enter() -> ConnectionCensus.Admission {
        let admission = server.census.enter(peer.countedNetwork)
        self.admission = admission
        if admission == .admitted {
            loop.metrics.connectionsAccepted += 1
        } else {
            loop.metrics.connectionsRefused += 1
            deadline = .now() + ConnectionHandler.farewell
        }
        return admission
    }

    /// From now on the handlers of the protocol watch the connection.
    func protocolIsKnown(isHTTP2: Bool) {
        isSpeakingHTTP2 = isHTTP2
        deadline = isHTTP2 ? .now() + server.limits.idleTimeout : .distantFuture
        if isHTTP2, loop.isDraining { drain() }
    }

    /// A stream of HTTP/2 has begun. Only streams keep a connection: a client may send other frames as often as it likes.
    func streamBegan() {
        streams += 1
        if !isEnding { deadline = .distantFuture }
    }

    func streamEnded() {
        streams -= 1
        if streams == 0, !isEnding { deadline = .now() + server.limits.idleTimeout }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = .now() + server.limits.headerTimeout
        loop.watch(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        http1 = nil
        loop.unwatch(self)
        // A connection that ends before it is active gets no channelInactive.
        leave()
    }

    func channelInactive(context: ChannelHandlerContext) {
        loop.unwatch(self)
        leave()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        loop.metrics.bytesReceived += unwrapInboundIn(data).readableBytes
        http1?.bytesArrived()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        loop.metrics.bytesSent += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    private func leave() {
        guard let admission else { return }
        self.admission = nil
        server.census.leave(admission, peer.countedNetwork)
    }

    override func deadlinePassed(_ now: NIODeadline) {
        guard isSpeakingHTTP2, !isEnding else {
            deadline = .distantFuture
            if !isSpeakingHTTP2 { loop.metrics.timeouts += 1 }
            context?.close(promise: nil)
            return
        }
        sayFarewell()
    }

    /// Tells a client of HTTP/2 that no more streams may begin.
    private func sayFarewell() {
        isEnding = true
        deadline = .now() + (streams == 0 ? ConnectionHandler.farewell : server.limits.drainTimeout)
        context?.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    override func drain() {
        if isSpeakingHTTP2 {
            sayFarewell()
        } else if http1 == nil {
            deadline = min(deadline, .now() + .seconds(5))
        }
    }

    override func end() { context?.close(promise: nil) }
}
