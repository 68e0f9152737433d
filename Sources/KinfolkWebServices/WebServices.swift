public import Kinfolk
import KinfolkJSON
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
    let workers: FairWorkers
    let senders = Senders()
    let limiters: Limiters
    let waits: Waits
    let alarms = Alarms()
    let sent = SentNotifications()
    let postman = Postman()
    /// Asks providers of identities, apart from the requests that need nobody else.
    let messenger = Postman()
    /// Ends uploads whose clients have gone.
    let janitor = WorkerPool(limit: 2)
    let openID = OpenIDClient()
    private let containers = Lock<[ContainerKey: Container]>([:])

    private struct ContainerKey: Hashable {
        let name: String
        let environment: ContainerEnvironment
    }

    public init(_ service: Service, _ configuration: WebConfiguration = WebConfiguration()) {
        self.service = service
        self.configuration = configuration
        workers = FairWorkers(limit: configuration.threads)
        limiters = Limiters(configuration.limits)
        waits = Waits(limit: configuration.limits.waits)
        Housekeeping.start(self)
    }

    /// What to do with the body of a request.
    public func intake(for head: WebRequest.Head) -> WebIntake {
        if let file = AssetRequest(head, self), file.isUpload {
            do throws(WebError) { try limiters.countRequest(of: head) } catch {
                return .answer(CrossOrigin(head, self).finished(WebResponse(error)))
            }
            return .upload(UploadedFile(file))
        }
        if SignInRequest.isPath(head.path) {
            return head.method == "POST" ? .whole(limit: SignInRequest.bodyLimit) : .unread
        }
        guard head.method == "POST", let path = RequestPath(head.path), let operation = Operation.at(path),
            operation.readsBody
        else { return .unread }
        return .whole(limit: configuration.bodyLimit)
    }

    /// The largest body, in bytes, that is read before it is known who sends it.
    public static let bodyOfStranger = 64 << 10

    /// Finds out whether a larger body is read.
    public func admit(_ head: WebRequest.Head, _ completion: @escaping @Sendable (WebAdmission) -> Void) {
        let hasRoom = workers.run(for: senders.sender(of: head)) { [self] in
            completion(Admission(services: self, head: head).result())
            return 0
        }
        if !hasRoom { completion(.refused(CrossOrigin(head, self).finished(WebResponse(WebServices.crowd)))) }
    }

    /// Answers a request whose body was read.
    public func answer(_ request: WebRequest, _ completion: @escaping @Sendable (WebResponse) -> Void) {
        if IdentityRequest.isPath(request.head.path), let page = SignInRequest(request, self) {
            guard messenger.hasRoom else { return completion(page.error(.serviceUnavailable)) }
            return messenger.run { completion(page.response()) }
        }
        let asked = Deadline.now
        let sender = senders.sender(of: request.head)
        let hasRoom = workers.run(for: sender) { [self] in
            let size = Lock(0)
            // Nobody gets an answer sooner if all wait: the store may be away.
            respond(to: request, of: sender, isLate: Deadline.now - asked > WebServices.patience) { response in
                if case .bytes(let bytes) = response.body { size.withLock { $0 = bytes.count } }
                completion(response)
            }
            return size.withLock { $0 }
        }
        guard !hasRoom else { return }
        if let page = SignInRequest(request, self) { return completion(page.error(.tooManyRequests(minutes: 1))) }
        completion(CrossOrigin(request.head, self).finished(WebResponse(WebServices.crowd)))
    }

    private func respond(
        to request: WebRequest,
        of sender: FairWorkers.Sender,
        isLate: Bool,
        _ completion: @escaping @Sendable (WebResponse) -> Void
    ) {
        if let page = SignInRequest(request, self) {
            return completion(isLate ? page.error(.serviceUnavailable) : page.response())
        }
        if isLate { return completion(WebResponse(WebServices.busy)) }
        do throws(WebError) { try limiters.countRequest(of: request.head) } catch {
            return completion(CrossOrigin(request.head, self).finished(WebResponse(error)))
        }
        let pages = CrossOrigin(request.head, self)
        if request.head.method == "OPTIONS" { return completion(pages.finished(pages.preflight())) }
        if let file = AssetRequest(request.head, self) { return completion(pages.finished(file.download())) }
        if let poll = CourierRequest(request.head, self) { return poll.answer { completion(pages.finished($0)) } }
        completion(pages.finished(DatabaseRequest(services: self, request: request, sender: sender).response()))
    }

    /// After how many nanoseconds in the queue a request is refused.
    private static let patience: UInt64 = 10_000_000_000
    static var crowd: WebError {
        WebError(.throttled, "Too many requests of the caller, or of its network, wait for their turn.", retryAfter: 5)
    }
    static var busy: WebError { WebError(.tryAgainLater, "The service is busy.", retryAfter: 5) }

    /// Ends all streams of events and all waits, before the program closes its connections. Requests are still answered.
    public func endWaits() { waits.endAll() }

    /// How many answers wait for something to happen.
    public var waitCount: Int { waits.count }

    /// How the service calls itself in mails: the host of its origin.
    var name: String {
        let host = configuration.origin.split(separator: "/").last.map(String.init) ?? configuration.origin
        return host
    }

    // MARK: Containers

    /// The container with this name. It stays in memory; the calls on it find out if it was deleted.
    func container(_ name: String, _ environment: ContainerEnvironment) throws(KinfolkError) -> Container {
        let key = ContainerKey(name: name, environment: environment)
        if let known = containers.withLock({ $0[key] }) { return known }
        // Nobody who is not known yet makes a development environment.
        let found = try service.read { db in try service.container(named: name, environment, db) }
        guard let found else { throw KinfolkError(.unknownItem, "There is no container with this name.") }
        containers.withLock { $0[key] = found }
        return found
    }

    /// The container of a ticket. One of the same name that was made since is another one.
    func container(of ticket: Ticket) throws(KinfolkError) -> Container {
        let found = try container(ticket.container, ticket.environment)
        guard found.number == ticket.containerNumber else {
            forget(found)
            throw KinfolkError(.unknownItem, "The container was deleted.")
        }
        return found
    }

    /// Forgets a container that was deleted: one of the same name may have been made since.
    func forget(_ container: Container) {
        containers.withLock { $0[ContainerKey(name: container.name, environment: container.environment)] = nil }
    }

    /// The error for a caller who has to sign in first.
    ///
    /// - Parameter origin: The origin of the page that asks; nil if no page does.
    func needsSignIn(_ caller: Caller) -> WebError {
        var error = WebError(.authenticationRequired, "The request needs a signed-in user.")
        error.redirectURL = SignInLink.url(for: caller, origin: caller.origin, self)
        return error
    }
}
