import HTTPTransport
import KinfolkWebServices
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Answers by the path: see `answer` and `intake`.
final class ProbeResponder: Responder {
    private let streams = NIOLockedValueBox<[ProbeEvents]>([])

    func endWaits() { for stream in streams.withLockedValue({ $0 }) { stream.cancel() } }

    func intake(for head: WebRequest.Head) -> WebIntake {
        switch head.path {
        case "/upload": .upload(ProbeUpload(head.query))
        case "/form": .whole(limit: 16_384)
        case "/refused": .answer(WebResponse(status: 403, body: .bytes(Array("refused".utf8))))
        default: .whole(limit: 1 << 20)
        }
    }

    /// The query names the caller.
    func admit(_ head: WebRequest.Head, _ completion: @escaping @Sendable (WebAdmission) -> Void) {
        let answer: WebAdmission =
            head.query == "stranger" ? .refused(WebResponse(status: 401)) : .admitted(caller: head.query)
        Delay.run(milliseconds: 20) { completion(answer) }
    }

    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) {
        switch request.head.path {
        case "/hello": completion(WebResponse(body: .bytes(Array("hello".utf8))))
        case "/echo", "/form":
            completion(WebResponse(body: .bytes(Array(ProbeResponder.description(of: request).utf8))))
        case "/slow":
            Report.line("slow begins")
            Delay.run(milliseconds: Int64(request.head.query) ?? 300) {
                completion(WebResponse(body: .bytes(Array("slow".utf8))))
            }
        case "/bytes":
            completion(WebResponse(body: .bytes([UInt8](repeating: 0x78, count: Int(request.head.query) ?? 1))))
        case "/file": completion(WebResponse(body: .file(ProbeFile(request.head.query))))
        case "/events":
            let events = ProbeEvents(count: Int(request.head.query))
            streams.withLockedValue { $0.append(events) }
            completion(WebResponse(headers: [("content-type", "text/event-stream")], body: .events(events)))
        case "/empty": completion(WebResponse(status: 204))
        case "/split": completion(WebResponse(headers: [("x-name", "a\r\nx-other: b")]))
        default: completion(WebResponse(status: 404))
        }
    }

    private static func description(of request: WebRequest) -> String {
        let head = request.head
        let headers = head.headers.map { "\($0.name): \($0.value)\n" }.joined()
        return
            "\(head.method) \(head.path) \(head.query)\nclient \(head.client)\nbytes \(request.body.count)\n\(headers)"
    }
}
