import KinfolkWebServices
import NIOCore
import NIOHTTP1

/// Reads the requests of a connection of HTTP/1, or the one of a stream of HTTP/2, and writes their answers.
///
/// One request at a time: while it is answered, no more is read from the socket, and what was read already waits in a queue.
final class RequestHandler: Watched, ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// What the deadline is for.
    enum Phase {
        /// The client may send a request.
        case idle
        /// The head has to arrive.
        case head
        case body
        /// The service has to answer: there is no deadline.
        case answer
        /// The client has to read.
        case delivery
        /// The answer was sent, and the client may still be sending: closing now could destroy the answer on its way.
        case lingering
        case closed
    }

    private enum Item {
        case part(HTTPServerRequestPart)
        case refusal(Refusal)
    }

    let server: ServerContext
    let loop: LoopState
    let peer: Peer
    private let connection: ConnectionHandler?
    var wire: Wire
    var context: ChannelHandlerContext?
    var phase = Phase.head
    var exchange: Exchange?
    var pieces: Pieces?
    var isPumping = false
    /// Whether an upload writes a piece, or the sender of a body is looked up, so that the next piece has to wait.
    var isBusy = false
    /// Whether the next request has to wait because the client does not read the answers.
    var isFlushing = false
    /// Changes with each exchange, so that late completions are recognised.
    var number = 0
    private var queue = CircularBuffer<Item>(initialCapacity: 4)
    private var isProceeding = false
    private var wantsRead = false
    private var hasBytes = false
    private static let lingering = TimeAmount.seconds(2)

    /// - Parameter connection: The connection of a stream of HTTP/2; nil for HTTP/1.
    init(_ peer: Peer, stream connection: ConnectionHandler?, _ server: ServerContext, _ loop: LoopState) {
        self.peer = peer
        self.server = server
        self.loop = loop
        self.connection = connection
        wire = Wire(isHTTP2: connection != nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline = .now() + server.limits.headerTimeout
        loop.watch(self)
        connection?.streamBegan()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        abandon()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandon()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .lingering, phase != .closed else { return }
        let part = unwrapInboundIn(data)
        guard !isBlocked, queue.isEmpty else { return queue.append(.part(part)) }
        handle(part)
    }

    func read(context: ChannelHandlerContext) {
        guard !isBlocked, queue.isEmpty else {
            wantsRead = true
            return
        }
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isFlushing, context.channel.isWritable {
            isFlushing = false
            becomeIdle()
            proceed()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { inputClosed() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch phase {
        case .lingering: break
        case .closed: context.close(promise: nil)
        default:
            guard let error = error as? HTTPParserError else { return close() }
            // The answers to earlier requests come first.
            if isBlocked || !queue.isEmpty {
                queue.append(.refusal(Refusal(error)))
            } else {
                refuse(Refusal(error))
            }
        }
    }

    /// The first bytes of a request have arrived.
    func bytesArrived() {
        hasBytes = true
        guard phase == .idle else { return }
        phase = .head
        deadline = .now() + server.limits.headerTimeout
    }

    override func deadlinePassed(_ now: NIODeadline) {
        switch phase {
        case .idle, .lingering: close()
        case .head:
            loop.metrics.timeouts += 1
            hasBytes ? refuse(.slowHead) : close()
        case .body: bodyPeriodEnded(now)
        case .delivery:
            loop.metrics.timeouts += 1
            close()
        case .answer, .closed: deadline = .distantFuture
        }
    }

    override func drain() {
        guard !wire.isHTTP2, exchange == nil, phase == .idle || phase == .head else { return }
        // A request that is on its way is still answered, unless its head arrives byte by byte.
        let patience: TimeAmount = phase == .head && hasBytes ? .seconds(5) : .milliseconds(500)
        deadline = min(deadline, .now() + patience)
    }

    override func end() { close() }

    // MARK: - Order

    /// Whether parts that arrive have to wait.
    private var isBlocked: Bool { isFlushing || isBusy || exchange?.hasEnded == true }

    private func handle(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let buffer): bodyArrived(buffer)
        case .end: bodyEnded()
        }
    }

    /// Handles what has waited.
    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        while !isBlocked, phase != .closed, phase != .lingering, let item = queue.popFirst() {
            switch item {
            case .part(let part): handle(part)
            case .refusal(let refusal): refuse(refusal)
            }
        }
        if wantsRead, !isBlocked, queue.isEmpty {
            wantsRead = false
            context?.read()
        }
    }

    /// Runs a completion on the event loop, unless the exchange has ended.
    func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (RequestHandler, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        let (loop, number) = (loop.loop, number)
        let handler = NIOLoopBound(self, eventLoop: loop)
        return { value in
            loop.execute {
                guard handler.value.number == number else { return }
                body(handler.value, value)
            }
        }
    }

    // MARK: - The end

    func becomeIdle() {
        hasBytes = false
        phase = .idle
        deadline = .now() + server.limits.idleTimeout
        if loop.isDraining { drain() }
    }

    /// Closes the connection after the client has read the answer.
    func linger() {
        phase = .lingering
        queue.removeAll()
        deadline = .now() + RequestHandler.lingering
        if !wire.isHTTP2 { context?.close(mode: .output, promise: nil) }
        context?.read()
    }

    func close() {
        abandon()
        context?.close(promise: nil)
    }

    private func inputClosed() {
        switch phase {
        case .lingering: close()
        case .closed: break
        default:
            guard !wire.isHTTP2 else { return }
            guard exchange != nil else {
                // An answer may still be on its way.
                return isFlushing ? () : close()
            }
            exchange?.keepsAlive = false
            if case .events(let events) = pieces?.source { events.cancel() }
        }
    }

    /// The connection is gone, or about to be: nobody waits for what is in progress.
    private func abandon() {
        guard phase != .closed else { return }
        phase = .closed
        deadline = .distantFuture
        loop.unwatch(self)
        connection?.streamEnded()
        number += 1
        queue.removeAll()
        if case .upload(let upload) = exchange?.intake { upload.cancel() }
        if case .events(let events) = pieces?.source {
            events.cancel()
            loop.metrics.streams -= 1
        }
        // The client left during the answer, as those of streams do.
        if pieces != nil, let exchange { record(exchange) }
        pieces = nil
        endWaiting()
        giveMemoryBack()
        exchange = nil
    }
}
