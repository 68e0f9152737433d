public import Kinfolk
import KinfolkThreads

/// Answers the requests of the protocol of CloudKit Web Services, and those that Kinfolk adds to it, for one store.
///
/// It knows nothing about connections: the program that has them, such as `kinfolkd`, gives it each request and sends its answer.
///
/// ```swift
/// let services = WebServices(service)
/// services.answer(WebRequest(head, body: body)) { response in send(response) }
/// ```
///
/// It may be used from any thread. Calls return at once; completions are called on threads of its own, or at once on the calling thread.
public final class WebServices: Sendable {
    /// The store.
    public let service: Service
    let configuration: WebConfiguration
    let workers: WorkerPool

    public init(_ service: Service, _ configuration: WebConfiguration = WebConfiguration()) {
        self.service = service
        self.configuration = configuration
        workers = WorkerPool(limit: configuration.threads)
    }

    /// What to do with the body of a request.
    public func intake(for head: WebRequest.Head) -> WebIntake { .whole(limit: configuration.bodyLimit) }

    /// Answers a request whose body was read.
    public func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) {
        workers.run { completion(WebResponse(status: 404)) }
    }

    /// Ends all streams of events and all waits, before the program closes its connections. Requests are still answered.
    public func endWaits() {}
}
