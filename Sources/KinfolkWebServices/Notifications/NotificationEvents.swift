import Kinfolk
import KinfolkJSON
import KinfolkThreads

/// The notifications of a session as server-sent events (WHATWG HTML, section 9.2).
///
/// A client that reconnects sends the ID of its last event, which acknowledges all up to it, and receives those after it. While the
/// connection is open, an event is acknowledged some time after it was sent.
final class NotificationEvents: WebEvents {
    /// After how many seconds without an event a comment is sent, so that proxies keep the connection, and dead ones are found.
    private static let heartbeat = 15.0
    /// How many events wait for the connection. More stay in the store meanwhile.
    private static let room = 100

    private struct State {
        var observation: StoreObservation?
        var waiting: [(bytes: [UInt8], notification: SubscriptionNotification?)] = []
        var receiver: (@Sendable ([UInt8]?) -> Void)?
        var alarm: Int?
        var wait: Int?
        /// The last notification that the connection took since the last heartbeat, and the last one before that, which is acknowledged with
        /// the next heartbeat.
        var new: SubscriptionNotification?
        var old: SubscriptionNotification?
        var isOver = false
    }

    private let session: Session
    private let credential: Credential
    private let services: WebServices
    private let state = Lock(State())

    private init(_ caller: Caller, _ services: WebServices) {
        (session, credential, self.services) = (caller.session, caller.credential, services)
    }

    /// Starts a stream.
    ///
    /// - Parameter last: The ID of the last event that the client has received.
    static func start(
        of caller: Caller,
        after last: NotificationID?,
        _ services: WebServices
    ) throws(WebError) -> NotificationEvents {
        let session = caller.session
        guard let user = session.recordID else { throw WebError(.notFound, "There is no such device.") }
        if let last { try calling { () throws(KinfolkError) in try session.acknowledge(through: last) } }
        let events = NotificationEvents(caller, services)
        let wait = try services.waits.add(of: user) { [weak events] in events?.cancel() }
        events.state.withLock { state in
            state.wait = wait
            state.isOver = wait == nil
            // Browsers begin to wait for events when the first bytes have come.
            state.waiting.append((Array(": Kinfolk\n\n".utf8), nil))
        }
        do throws(KinfolkError) {
            let observation = try session.observe { [weak events] notification, _ in events?.add(notification) ?? false
            }
            events.state.withLock { $0.observation = observation }
        } catch {
            events.cancel()
            throw WebError(error)
        }
        events.setAlarm()
        return events
    }

    private func add(_ notification: SubscriptionNotification) -> Bool {
        guard credential.allowsWait(of: session) else {
            cancel()
            return false
        }
        let id = NotificationWriter.id(notification.id)
        let json = NotificationWriter(container: session.container.name, user: session.recordID).json(notification)
        let event = Array("id: \(id)\nevent: notification\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
        return deliver(event, notification)
    }

    /// Gives bytes to the connection, now or when it asks for them.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    private func deliver(_ bytes: [UInt8], _ notification: SubscriptionNotification?) -> Bool {
        let (receiver, hasRoom): ((@Sendable ([UInt8]?) -> Void)?, Bool) = state.withLock { state in
            guard !state.isOver, state.waiting.count < NotificationEvents.room else { return (nil, false) }
            guard let receiver = state.receiver else {
                state.waiting.append((bytes, notification))
                return (nil, true)
            }
            if let notification { state.new = notification }
            state.receiver = nil
            return (receiver, true)
        }
        receiver?(bytes)
        return hasRoom
    }

    func next(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        let (bytes, isOver): ([UInt8]?, Bool) = state.withLock { state in
            if !state.waiting.isEmpty {
                let next = state.waiting.removeFirst()
                if let notification = next.notification { state.new = notification }
                return (next.bytes, false)
            }
            if !state.isOver { state.receiver = completion }
            return (nil, state.isOver)
        }
        if bytes != nil || isOver { completion(bytes) }
    }

    private func setAlarm() {
        let alarm = services.alarms.after(NotificationEvents.heartbeat) { [weak self] in self?.beat() }
        state.withLock { $0.alarm = alarm }
    }

    private func beat() {
        let (old, key, isOver) = state.withLock { state in
            defer { if let new = state.new { (state.old, state.new) = (new, nil) } }
            return (state.old, state.observation?.key, state.isOver)
        }
        guard !isOver else { return }
        guard credential.allowsWait(of: session) else { return cancel() }
        if let old { session.service.hub.acknowledge(old, by: session, of: key) }
        deliver(Array(":\n\n".utf8), nil)
        setAlarm()
    }

    func cancel() {
        let ended = state.withLock { state in
            defer {
                state.isOver = true
                (state.observation, state.receiver, state.alarm, state.wait) = (nil, nil, nil, nil)
                state.waiting = []
            }
            return state
        }
        ended.observation?.cancel()
        if let alarm = ended.alarm { services.alarms.cancel(alarm) }
        if let wait = ended.wait { services.waits.remove(wait) }
        ended.receiver?(nil)
    }
}
