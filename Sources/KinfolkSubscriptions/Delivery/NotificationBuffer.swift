#if !KINFOLK_BLOCKING
import KinfolkModel
import KinfolkThreads

/// Notifications between the thread that delivers them and a task that asks for one after the other.
final class NotificationBuffer: Sendable {
    private struct State {
        var waiting: [SubscriptionNotification] = []
        /// The one that the task has, and acknowledges by asking for the next one.
        var taken: SubscriptionNotification?
        var task: CheckedContinuation<SubscriptionNotification?, Never>?
        var isFull = false
        var isOver = false
        var observation: NotificationObservation?
        var acknowledge: (@Sendable (SubscriptionNotification) -> Void)?
    }

    /// The most notifications that wait in memory.
    private static let limit = 100

    private let state = Lock(State())

    func begin(
        _ observation: NotificationObservation,
        acknowledge: @escaping @Sendable (SubscriptionNotification) -> Void
    ) {
        state.withLock { ($0.observation, $0.acknowledge) = (observation, acknowledge) }
    }

    /// Takes a notification from the thread. False if there are too many.
    func receive(_ notification: SubscriptionNotification) -> Bool {
        let (isTaken, task) = state.withLock {
            state -> (Bool, CheckedContinuation<SubscriptionNotification?, Never>?) in
            if state.isOver { return (false, nil) }
            if let task = state.task {
                (state.task, state.taken) = (nil, notification)
                return (true, task)
            }
            guard state.waiting.count < NotificationBuffer.limit else {
                state.isFull = true
                return (false, nil)
            }
            state.waiting.append(notification)
            return (true, nil)
        }
        task?.resume(returning: notification)
        return isTaken
    }

    /// Acknowledges the last notification, and waits for the next one. Nil after the end.
    func next() async -> SubscriptionNotification? {
        let (acknowledge, last) = state.withLock { state in
            defer { state.taken = nil }
            return (state.acknowledge, state.taken)
        }
        if let last { acknowledge?(last) }
        let next = await withTaskCancellationHandler {
            await withCheckedContinuation { (task: CheckedContinuation<SubscriptionNotification?, Never>) in
                let (next, isReady) = state.withLock { state -> (SubscriptionNotification?, Bool) in
                    if state.isOver { return (nil, true) }
                    guard !state.waiting.isEmpty else {
                        state.task = task
                        return (nil, false)
                    }
                    state.taken = state.waiting.removeFirst()
                    return (state.taken, true)
                }
                if isReady { task.resume(returning: next) }
            }
        } onCancel: {
            end()
        }
        let observation = state.withLock { state -> NotificationObservation? in
            guard state.isFull, state.waiting.isEmpty else { return nil }
            state.isFull = false
            return state.observation
        }
        observation?.resume()
        return next
    }

    /// Ends the wait of the task, and delivers nothing more.
    func end() {
        let (task, observation) = state.withLock { state in
            state.isOver = true
            defer { (state.task, state.observation) = (nil, nil) }
            return (state.task, state.observation)
        }
        task?.resume(returning: nil)
        observation?.cancel()
    }
}
#endif
