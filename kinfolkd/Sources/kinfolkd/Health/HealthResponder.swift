import HTTPTransport
import KinfolkWebServices

/// Answers `/healthz` and `/readyz`, and leaves all other requests to another responder.
struct HealthResponder: Responder {
    private let probe: StoreProbe
    private let next: any Responder

    init(_ probe: StoreProbe, next: any Responder) {
        self.probe = probe
        self.next = next
    }

    func intake(for head: WebRequest.Head) -> WebIntake {
        switch head.path {
        case "/healthz": .answer(head.method == "GET" ? PlainAnswer.text("ok") : PlainAnswer.onlyGET)
        case "/readyz": head.method == "GET" ? .unread : .answer(PlainAnswer.onlyGET)
        default: next.intake(for: head)
        }
    }

    func admit(_ head: WebRequest.Head, _ completion: @escaping @Sendable (WebAdmission) -> Void) {
        next.admit(head, completion)
    }

    func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) {
        guard request.head.path == "/readyz" else { return next.answer(request, completion) }
        probe.check { isReady in
            completion(
                isReady ? PlainAnswer.text("ready") : PlainAnswer.text("The store does not answer.", status: 503)
            )
        }
    }
}
