import KinfolkWebServices
import NIOCore
import NIOHTTP1

extension RequestHandler {
    /// A request begins.
    func begin(_ head: HTTPRequestHead) {
        number += 1
        let check = HeadCheck(head, isHTTP2: wire.isHTTP2)
        let webHead = WebRequest.Head(head, from: peer, server.proxies)
        server.note(head.headers, of: peer)
        exchange = Exchange(
            Operation(target: head.uri),
            head.method,
            minor: head.version.minor,
            // NIO's decoder stops after a request for an upgrade.
            keepsAlive: head.isKeepAlive && !check.asksForUpgrade,
            intake: .discard,
            holder: .stranger(network: NetworkAddress(webHead.client[...])?.site ?? "")
        )
        guard check.problem == nil, wire.isHTTP2 || head.version.major == 1 && head.version.minor <= 1 else {
            return refuse(check.problem.map { Refusal(400, $0) } ?? Refusal(.invalidVersion))
        }
        phase = .body
        deadline = .now() + server.limits.bodyTimeout
        switch server.responder.intake(for: webHead) {
        case .answer(let response):
            if check.hasBody { return send(response) }
            exchange?.intake = .answer(response)
        case .whole(let limit):
            if let length = check.contentLength, length > limit { return refuse(.largeBody) }
            exchange?.intake = .whole(webHead, limit: limit)
            if limit <= BodyMemory.form, case .stranger(let network)? = exchange?.holder {
                exchange?.holder = .form(network: network)
            }
            if let length = check.contentLength, length > 0 { exchange?.body.reserveCapacity(min(length, 64 << 10)) }
        case .unread: exchange?.intake = .unread(webHead)
        case .upload(let upload):
            exchange?.intake = .upload(upload)
            loop.metrics.uploads += 1
        }
        if let context, check.expectsContinue, check.hasBody, !wire.isHTTP2, head.version.minor > 0 {
            wire.writeContinue(to: context)
        }
    }

    func bodyArrived(_ buffer: ByteBuffer) {
        let count = buffer.readableBytes
        exchange?.received += count
        exchange?.receivedInPeriod += count
        switch exchange?.intake {
        case .whole(let head, let limit):
            guard let exchange, exchange.received <= limit else { return refuse(.largeBody) }
            if case .stranger = exchange.holder, exchange.received > WebServices.bodyOfStranger {
                return admit(buffer, head)
            }
            guard takeMemory(count) else {
                guard case .stranger = exchange.holder else { return refuse(.noMemory) }
                return admit(buffer, head, lacksMemory: true)
            }
            self.exchange?.body.append(contentsOf: buffer.readableBytesView)
        case .upload(let upload):
            loop.metrics.uploadBytes += count
            isBusy = true
            deadline = .distantFuture
            upload.write(Array(buffer.readableBytesView), onLoop { $0.pieceWritten($1) })
        case .unread: if let received = exchange?.received, received > BodyMemory.form { refuse(.largeBody) }
        case .answer, .discard, nil: break
        }
    }

    /// Asks who sends a body that a stranger may not send, or for which strangers have no memory left.
    private func admit(_ buffer: ByteBuffer, _ head: WebRequest.Head, lacksMemory: Bool = false) {
        isBusy = true
        deadline = .distantFuture
        server.responder.admit(head, onLoop { $0.admitted($1, buffer, lacksMemory) })
    }

    private func admitted(_ admission: WebAdmission, _ buffer: ByteBuffer, _ lacksMemory: Bool) {
        isBusy = false
        switch admission {
        case .refused where lacksMemory: refuse(.noMemory)
        case .refused(let response):
            giveMemoryBack()
            exchange?.intake = .discard
            exchange?.body = []
            send(response)
        case .admitted(let caller):
            let count = (exchange?.takenMemory ?? 0) + buffer.readableBytes
            giveMemoryBack()
            exchange?.holder = .caller(caller)
            guard takeMemory(count) else { return refuse(.noMemory) }
            exchange?.body.append(contentsOf: buffer.readableBytesView)
            deadline = .now() + server.limits.bodyTimeout
        }
        proceed()
    }

    func bodyEnded() {
        exchange?.hasEnded = true
        switch exchange?.intake {
        case .whole(let head, _):
            guard let exchange else { return }
            self.exchange?.intake = .discard
            self.exchange?.body = []
            // The body waits for its turn, also if the client goes away.
            self.exchange?.takenMemory = 0
            beginWaiting()
            let answered: @Sendable (WebResponse) -> Void = onLoop { $0.answered($1) }
            server.responder.answer(WebRequest(head, body: exchange.body)) { [server] response in
                server.bodyMemory.give(exchange.takenMemory, of: exchange.holder)
                answered(response)
            }
        case .upload(let upload):
            // It cannot be cancelled from now on.
            exchange?.intake = .discard
            beginWaiting()
            upload.finish(onLoop { $0.answered($1) })
        case .unread(let head):
            exchange?.intake = .discard
            beginWaiting()
            server.responder.answer(WebRequest(head, body: []), onLoop { $0.answered($1) })
        case .answer(let response): send(response)
        case .discard, nil: break
        }
    }

    /// A period of a body has ended: the next begins if enough arrived.
    func bodyPeriodEnded(_ now: NIODeadline) {
        let seconds = Int(server.limits.bodyTimeout.nanoseconds / 1_000_000_000)
        guard let exchange, exchange.receivedInPeriod >= max(1, server.limits.minimumRate * seconds) else {
            loop.metrics.timeouts += 1
            return refuse(.slowBody)
        }
        self.exchange?.receivedInPeriod = 0
        deadline = now + server.limits.bodyTimeout
    }

    /// Answers without a service, and closes the connection.
    func refuse(_ refusal: Refusal) {
        number += 1
        isBusy = false
        if case .upload(let upload) = exchange?.intake { upload.cancel() }
        // An answer that has begun cannot be replaced.
        guard exchange == nil || exchange?.status == 0 else { return close() }
        endWaiting()
        giveMemoryBack()
        if exchange == nil {
            let holder = BodyMemory.Holder.stranger(network: "")
            exchange = Exchange(.other, .GET, minor: 1, keepsAlive: false, intake: .discard, holder: holder)
        }
        exchange?.intake = .discard
        exchange?.keepsAlive = false
        send(refusal.response)
    }

    private func pieceWritten(_ answer: WebResponse?) {
        isBusy = false
        if let answer {
            // The upload has ended by itself.
            exchange?.intake = .discard
            send(answer)
        } else {
            exchange?.receivedInPeriod = 0
            deadline = .now() + server.limits.bodyTimeout
        }
        proceed()
    }

    private func answered(_ response: WebResponse) {
        endWaiting()
        // What waits for the client from now on is the answer.
        exchange?.holder = .answer
        send(response)
    }

    private func beginWaiting() {
        exchange?.isWaiting = true
        loop.metrics.waiting += 1
        phase = .answer
        deadline = .distantFuture
    }

    func endWaiting() {
        guard exchange?.isWaiting == true else { return }
        exchange?.isWaiting = false
        loop.metrics.waiting -= 1
    }

    /// Takes memory for what arrived, or for what waits until the client reads it. False if there is none.
    func takeMemory(_ count: Int) -> Bool {
        guard let holder = exchange?.holder, server.bodyMemory.take(count, for: holder) else { return false }
        exchange?.takenMemory += count
        return true
    }

    func giveMemoryBack() {
        guard let exchange, exchange.takenMemory > 0 else { return }
        server.bodyMemory.give(exchange.takenMemory, of: exchange.holder)
        self.exchange?.takenMemory = 0
    }
}
