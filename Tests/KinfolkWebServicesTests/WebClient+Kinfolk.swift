import KinfolkAccounts
import KinfolkThreads
import KinfolkWebServices

extension WebClient {
    /// The answer to a request for one of the operations that Kinfolk adds.
    func askKinfolk(_ operation: String, _ body: String?) -> WebReply {
        send(kinfolkHead(operation, body), Array((body ?? "").utf8))
    }

    private func kinfolkHead(_ operation: String, _ body: String?, _ headers: [(name: String, value: String)] = [])
        -> WebRequest.Head
    {
        WebRequest.Head(
            method: body == nil ? "GET" : "POST",
            path: "/kinfolk/1/\(container.name)/development/\(operation)",
            query: query,
            headers: headers
        )
    }

    /// A stream of events, after the comment with which it begins.
    func events(after last: String?) -> EventReader? {
        let head = kinfolkHead("notifications", nil, last.map { [("last-event-id", $0)] } ?? [])
        let events = Lock<(any WebEvents)??>(nil)
        services.answer(WebRequest(head)) { response in
            events.withLock { state in
                if case .events(let stream) = response.body { state = .some(stream) } else { state = .some(nil) }
            }
        }
        let stream = events.withLock(when: { $0 != nil }, until: .never) { $0 ?? nil } ?? nil
        guard let stream else { return nil }
        let reader = EventReader(stream)
        _ = reader.next()
        return reader
    }
}

/// Reads a stream of events.
struct EventReader {
    private let stream: any WebEvents

    init(_ stream: any WebEvents) { self.stream = stream }

    /// The next event that is no comment; empty after the end.
    func next() -> String {
        while true {
            let piece = Lock<[UInt8]??>(nil)
            stream.next { bytes in piece.withLock { $0 = .some(bytes) } }
            let bytes = piece.withLock(when: { $0 != nil }, until: .never) { $0 ?? nil } ?? nil
            guard let bytes else { return "" }
            let text = String(decoding: bytes, as: UTF8.self)
            if text != ":\n\n" { return text }
        }
    }

    func cancel() { stream.cancel() }
}
