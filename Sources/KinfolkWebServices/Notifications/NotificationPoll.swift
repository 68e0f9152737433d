import Kinfolk
import KinfolkJSON
import KinfolkThreads

/// A long poll: it is answered with the next notification, or with an empty body after some time.
///
/// What was sent is acknowledged with the next poll, so that a notification whose answer did not arrive is sent again.
final class NotificationPoll: Sendable {
    /// How many seconds a client waits at most. Proxies cut connections off after a minute without a byte.
    static let patience = 50.0

    private struct State {
        var observation: StoreObservation?
        var alarm: Int?
        var wait: Int?
        var completion: (@Sendable (WebResponse) -> Void)?
    }

    private let services: WebServices
    private let session: Session
    private let credential: Credential
    private let state: Lock<State>

    private init(
        _ session: Session,
        _ credential: Credential,
        _ services: WebServices,
        _ completion: @escaping @Sendable (WebResponse) -> Void
    ) {
        (self.session, self.credential, self.services) = (session, credential, services)
        state = Lock(State(completion: completion))
    }

    /// Starts a poll.
    ///
    /// - Parameter acknowledged: The last notification that the client has handled; nil if it does not say.
    static func start(
        _ session: Session,
        by credential: Credential,
        acknowledging acknowledged: NotificationID?,
        _ services: WebServices,
        _ completion: @escaping @Sendable (WebResponse) -> Void
    ) {
        let poll = NotificationPoll(session, credential, services, completion)
        do throws(WebError) {
            try calling { () throws(KinfolkError) in
                if let last = acknowledged ?? services.sent.take(session) { try session.acknowledge(through: last) }
            }
            try poll.begin()
        } catch { poll.end(with: WebResponse(error)) }
    }

    private func begin() throws(WebError) {
        guard let user = session.recordID else { throw WebError(.notFound, "There is no such device.") }
        let observation = try calling { () throws(KinfolkError) in
            try session.onNotification { [self] notification in
                send(notification)
                // Not acknowledged yet.
                return false
            }
        }
        guard keep({ $0.observation = observation }) else { return observation.cancel() }
        // It counts as waiting when it can be told.
        let endEmpty: @Sendable () -> Void = { [self] in end(with: NotificationPoll.nothing) }
        guard let wait = try services.waits.add(of: user, endEmpty) else { return endEmpty() }
        let alarm = services.alarms.after(NotificationPoll.patience, endEmpty)
        guard keep({ ($0.alarm, $0.wait) = (alarm, wait) }) else {
            services.alarms.cancel(alarm)
            return services.waits.remove(wait)
        }
    }

    /// Notes what has to end with the poll. False if it has ended already.
    private func keep(_ note: (inout State) -> Void) -> Bool {
        state.withLock { state in
            guard state.completion != nil else { return false }
            note(&state)
            return true
        }
    }

    private func send(_ notification: SubscriptionNotification) {
        guard credential.allowsWait(of: session) else { return end(with: NotificationPoll.nothing) }
        let writer = NotificationWriter(container: session.container.name, user: session.recordID)
        end(with: WebResponse(writer.json(notification)), sending: notification.id)
    }

    /// An empty body: the client asks again.
    private static var nothing: WebResponse { WebResponse(status: 204, headers: WebResponse.privateHeaders) }

    /// Gives the answer, unless it was given already.
    private func end(with response: WebResponse, sending notification: NotificationID? = nil) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.observation?.cancel()
        if let alarm = ended.alarm { services.alarms.cancel(alarm) }
        if let wait = ended.wait { services.waits.remove(wait) }
        guard let completion = ended.completion else { return }
        var response = response
        if let notification { response.whenSent = { [services, session] in services.sent.note(notification, session) } }
        completion(response)
    }
}
