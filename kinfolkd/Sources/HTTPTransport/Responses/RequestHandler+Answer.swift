import KinfolkWebServices
import Logging
import NIOCore
import NIOHTTP1

extension RequestHandler {
    /// Begins an answer.
    func send(_ given: WebResponse) {
        guard let context, let exchange else { return }
        let response = given.isWellFormed ? given : WebResponse(status: 500)
        let closes = !exchange.keepsAlive || !exchange.hasEnded || loop.isDraining
        self.exchange?.keepsAlive = !closes
        self.exchange?.status = response.status
        self.exchange?.whenSent = exchange.isHEAD ? nil : response.whenSent
        phase = .delivery
        deadline = .now() + server.limits.writeTimeout

        func writeHead(_ length: Wire.Length, body: [UInt8]? = nil) {
            wire.writeHead(
                response.status,
                response.headers,
                length,
                body: body,
                date: loop.dateText,
                closes: closes,
                minor: exchange.minor,
                to: context
            )
        }

        switch response.body {
        case .bytes(let bytes):
            guard !response.neverHasBody else {
                writeHead(.none)
                return complete()
            }
            guard !exchange.isHEAD, bytes.count > Pieces.size else {
                writeHead(.bytes(bytes.count), body: exchange.isHEAD ? nil : bytes)
                self.exchange?.sent = exchange.isHEAD ? 0 : bytes.count
                return complete()
            }
            guard takeMemory(bytes.count) else { return send(Refusal.noMemory.response) }
            writeHead(.bytes(bytes.count))
            pieces = Pieces(source: .bytes(context.channel.allocator.buffer(bytes: bytes)), missing: bytes.count)
        case .file(let file):
            guard exchange.isHEAD || takeMemory(min(file.size, Pieces.largestRead)) else {
                return send(Refusal.noMemory.response)
            }
            writeHead(.bytes(file.size))
            guard !exchange.isHEAD, file.size > 0 else { return complete() }
            pieces = Pieces(source: .file(file), missing: file.size)
        case .events(let events):
            writeHead(.stream)
            guard !exchange.isHEAD else {
                events.cancel()
                return complete()
            }
            context.flush()
            pieces = Pieces(source: .events(events), missing: nil)
            loop.metrics.streams += 1
            if loop.isDraining { events.cancel() }
        }
        pump()
    }

    /// Sends pieces as long as there is room on their way to the client.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer {
            isPumping = false
            if pieces?.hasEnded == true, pieces?.inFlight == 0 { complete() }
        }
        while let pieces, pieces.wantsMore {
            switch pieces.source {
            case .bytes(var rest):
                guard let piece = rest.readSlice(length: min(Pieces.size, rest.readableBytes)) else { return }
                self.pieces?.source = .bytes(rest)
                self.pieces?.hasEnded = rest.readableBytes == 0
                write(piece)
            case .file(let file):
                self.pieces?.isReading = true
                file.read(onLoop { $0.pieceOfFile($1) })
            case .events(let events):
                self.pieces?.isReading = true
                events.next(onLoop { $0.pieceOfEvents($1) })
            }
        }
    }

    private func pieceOfFile(_ bytes: [UInt8]?) {
        pieces?.isReading = false
        // The length is announced: an answer that is shorter or longer must not look complete.
        guard let bytes, let missing = pieces?.missing, !bytes.isEmpty, bytes.count <= missing else {
            server.logger.warning("A file could not be read to its end.")
            return close()
        }
        pieces?.missing = missing - bytes.count
        pieces?.hasEnded = missing == bytes.count
        write(bytes)
        pump()
    }

    private func pieceOfEvents(_ bytes: [UInt8]?) {
        pieces?.isReading = false
        if let bytes {
            write(bytes)
        } else {
            pieces?.hasEnded = true
        }
        pump()
    }

    private func write(_ bytes: [UInt8]) {
        guard let context, !bytes.isEmpty else { return }
        // A part can be delivered at once: the answer must not look complete before the last part.
        isPumping = true
        defer { isPumping = false }
        var buffer = context.channel.allocator.buffer(bytes: bytes)
        while let piece = buffer.readSlice(length: min(Pieces.size, buffer.readableBytes)), piece.readableBytes > 0 {
            write(piece)
        }
    }

    private func write(_ piece: ByteBuffer) {
        guard let context else { return }
        pieces?.inFlight += 1
        deadline = .now() + server.limits.writeTimeout
        let promise = context.eventLoop.makePromise(of: Void.self)
        let (number, count) = (number, piece.readableBytes)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in
            if self.number == number { pieceDelivered(count) }
        }
        wire.writePiece(piece, to: context, promise: promise)
        context.flush()
    }

    private func pieceDelivered(_ count: Int) {
        exchange?.sent += count
        pieces?.inFlight -= 1
        // While the service reads the next piece, nobody waits for the client.
        deadline = pieces?.inFlight == 0 ? .distantFuture : .now() + server.limits.writeTimeout
        pump()
    }

    /// All of the answer was handed to the connection.
    private func complete() {
        guard let context, let exchange else { return }
        if case .events = pieces?.source { loop.metrics.streams -= 1 }
        pieces = nil
        record(exchange)
        giveMemoryBack()
        guard exchange.keepsAlive, !wire.isHTTP2 else {
            deadline = .now() + server.limits.writeTimeout
            let promise = context.eventLoop.makePromise(of: Void.self)
            let number = number
            promise.futureResult.assumeIsolated().whenComplete { [self] result in
                if case .success = result { exchange.whenSent?() }
                if self.number == number { delivered() }
            }
            wire.writeEnd(to: context, promise: promise)
            context.flush()
            return
        }
        var promise: EventLoopPromise<Void>?
        if let whenSent = exchange.whenSent {
            promise = context.eventLoop.makePromise(of: Void.self)
            promise?.futureResult.whenSuccess { whenSent() }
        }
        wire.writeEnd(to: context, promise: promise)
        context.flush()
        guard phase != .closed else { return }
        self.exchange = nil
        number += 1
        if context.channel.isWritable {
            becomeIdle()
        } else {
            isFlushing = true
            deadline = .now() + server.limits.writeTimeout
        }
        proceed()
    }

    /// The client has the last answer of this connection or stream.
    private func delivered() {
        guard phase != .closed else { return }
        if exchange?.hasEnded == true {
            // A stream closes by itself.
            guard wire.isHTTP2 else { return close() }
            deadline = .distantFuture
        } else {
            linger()
        }
    }

    /// Notes an answer in the log and the metrics.
    func record(_ exchange: Exchange) {
        let duration = NIODeadline.now() - exchange.started
        loop.metrics.answered(exchange.operation, exchange.status, duration)
        guard server.logsRequests else { return }
        server.logger.debug(
            "Answered a request.",
            metadata: [
                "request": "\(loop.nextRequestID())", "method": "\(exchange.method.loggedName)",
                "operation": "\(exchange.operation.name)", "status": "\(exchange.status)",
                "microseconds": "\(duration.nanoseconds / 1_000)", "received": "\(exchange.received)",
                "sent": "\(exchange.sent)",
            ]
        )
    }
}

extension WebResponse {
    /// Whether no header could be read as two.
    fileprivate var isWellFormed: Bool {
        (200...599).contains(status)
            && headers.allSatisfy { name, value in
                !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
                    && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
            }
    }

    fileprivate var neverHasBody: Bool { status == 204 || status == 304 }
}

extension HTTPMethod {
    /// The name if it is one of those that clients use: in HTTP/2 a method is any word.
    fileprivate var loggedName: String {
        switch self {
        case .GET, .HEAD, .POST, .PUT, .PATCH, .DELETE, .OPTIONS: rawValue
        default: "other"
        }
    }
}
