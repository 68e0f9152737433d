import NIOCore
import NIOHTTP1

/// How an answer is written to a connection of HTTP/1, or to a stream of HTTP/2.
struct Wire {
    enum Length {
        case bytes(Int)
        /// Unknown before the end.
        case stream
        /// An answer that never has a body, such as 204 and 304.
        case none
    }

    let isHTTP2: Bool
    /// Whether pieces are written as chunks.
    private var isChunked = false

    init(isHTTP2: Bool) { self.isHTTP2 = isHTTP2 }

    /// Writes the head, with the whole body if there is one.
    ///
    /// - Parameter minor: The minor version of a request of HTTP/1.
    mutating func writeHead(
        _ status: Int,
        _ headers: [(name: String, value: String)],
        _ length: Length,
        body: [UInt8]? = nil,
        date: String,
        closes: Bool,
        minor: Int,
        to context: ChannelHandlerContext
    ) {
        guard !isHTTP2 else {
            var fields = HTTPHeaders()
            fields.reserveCapacity(headers.count + 2)
            for (name, value) in headers { fields.add(name: name, value: value) }
            fields.add(name: "date", value: date)
            if case .bytes(let count) = length { fields.add(name: "content-length", value: "\(count)") }
            let head = HTTPResponseHead(
                version: .http2,
                status: HTTPResponseStatus(statusCode: status),
                headers: fields
            )
            context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
            if let body, !body.isEmpty {
                writePiece(context.channel.allocator.buffer(bytes: body), to: context, promise: nil)
            }
            return
        }
        var buffer = context.channel.allocator.buffer(capacity: 256 + (body?.count ?? 0))
        buffer.writeString(StatusLines.line(of: status))
        for (name, value) in headers {
            buffer.writeString(name)
            buffer.writeStaticString(": ")
            buffer.writeString(value)
            buffer.writeStaticString("\r\n")
        }
        buffer.writeStaticString("date: ")
        buffer.writeString(date)
        isChunked = false
        switch length {
        case .bytes(let count):
            buffer.writeStaticString("\r\ncontent-length: ")
            buffer.writeString("\(count)")
        case .stream where minor > 0:
            isChunked = true
            buffer.writeStaticString("\r\ntransfer-encoding: chunked")
        case .stream, .none: break
        }
        if closes {
            buffer.writeStaticString("\r\nconnection: close\r\n\r\n")
        } else if minor == 0 {
            buffer.writeStaticString("\r\nconnection: keep-alive\r\n\r\n")
        } else {
            buffer.writeStaticString("\r\n\r\n")
        }
        if let body { buffer.writeBytes(body) }
        context.write(NIOAny(buffer), promise: nil)
    }

    func writePiece(_ piece: ByteBuffer, to context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        if isHTTP2 {
            context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(piece))), promise: promise)
        } else if isChunked {
            var chunk = context.channel.allocator.buffer(capacity: piece.readableBytes + 20)
            chunk.writeString(String(piece.readableBytes, radix: 16))
            chunk.writeStaticString("\r\n")
            chunk.writeImmutableBuffer(piece)
            chunk.writeStaticString("\r\n")
            context.write(NIOAny(chunk), promise: promise)
        } else {
            context.write(NIOAny(piece), promise: promise)
        }
    }

    func writeEnd(to context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        if isHTTP2 {
            context.write(NIOAny(HTTPServerResponsePart.end(nil)), promise: promise)
        } else if isChunked {
            context.write(NIOAny(context.channel.allocator.buffer(staticString: "0\r\n\r\n")), promise: promise)
        } else if let promise {
            context.write(NIOAny(ByteBuffer()), promise: promise)
        }
    }

    func writeContinue(to context: ChannelHandlerContext) {
        if isHTTP2 {
            let head = HTTPResponseHead(version: .http2, status: .continue)
            context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        } else {
            context.writeAndFlush(
                NIOAny(context.channel.allocator.buffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
                promise: nil
            )
        }
    }
}
