import NIOCore

/// The last handler of a connection: closes it after an error that no other handler deals with, such as a failed handshake.
final class ClosingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
