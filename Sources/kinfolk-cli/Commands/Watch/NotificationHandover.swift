import Kinfolk
import KinfolkThreads

/// Hands notifications from the thread that delivers them to the main thread, which prints them. One is acknowledged when it is printed.
final class NotificationHandover: Sendable {
    private struct State {
        var waiting: SubscriptionNotification?
        var isPrinted = false
        var isOver = false
    }

    private let state = Lock(State())

    /// Waits until the main thread has printed a notification. False if it prints no more.
    func offer(_ notification: SubscriptionNotification) -> Bool {
        guard
            state.withLock({ state in
                if !state.isOver { (state.waiting, state.isPrinted) = (notification, false) }
                return !state.isOver
            })
        else { return false }
        Wakeup.wake()
        return state.withLock(when: { $0.isPrinted || $0.isOver }, until: .never) { state in
            defer { state.waiting = nil }
            return state.isPrinted
        } ?? false
    }

    /// The notification that waits to be printed.
    var next: SubscriptionNotification? { state.withLock { $0.isPrinted ? nil : $0.waiting } }

    func notePrinted() { state.withLock { $0.isPrinted = true } }

    func end() { state.withLock { $0.isOver = true } }
}
