import HTTPTransport
import KinfolkWebServices

/// Answers `/metrics`.
struct MetricsResponder: Responder {
    private let server: HTTPServer

    init(_ server: HTTPServer) { self.server = server }

    func intake(for head: WebRequest.Head) -> WebIntake {
        guard head.path == "/metrics" else { return .answer(PlainAnswer.text("Not found.", status: 404)) }
        return head.method == "GET" ? .unread : .answer(PlainAnswer.onlyGET)
    }

    /// It reads no body.
    func admit(_ head: WebRequest.Head, _ completion: @escaping @Sendable (WebAdmission) -> Void) {
        completion(.refused(PlainAnswer.onlyGET))
    }

    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) {
        server.metrics { text in
            let headers = [
                (name: "content-type", value: "text/plain; version=0.0.4; charset=utf-8"),
                ("cache-control", "no-store"),
            ]
            completion(WebResponse(headers: headers, body: .bytes(Array(text.utf8))))
        }
    }
}
