import KinfolkWebServices
import NIOCore

/// Answers a connection over a limit, and closes it.
final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let refusal: Refusal

    init(_ admission: ConnectionCensus.Admission) {
        refusal =
            admission == .full
            ? Refusal(503, "The service has too many connections.")
            : Refusal(429, "There are too many connections from this address.")
    }

    func channelActive(context: ChannelHandlerContext) { answer(context) }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { answer(context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let response = refusal.response
        guard case .bytes(let body) = response.body else { return }
        var wire = Wire(isHTTP2: false)
        wire.writeHead(
            response.status,
            response.headers,
            .bytes(body.count),
            body: body,
            date: HTTPDate.text(of: HTTPDate.now),
            closes: true,
            minor: 1,
            to: context
        )
        context.flush()
        // The client closes the connection when it has read the answer, or the deadline of the connection does.
        context.close(mode: .output, promise: nil)
    }
}
