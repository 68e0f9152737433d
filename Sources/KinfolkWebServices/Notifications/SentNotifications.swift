import Kinfolk
import KinfolkThreads

/// The notifications that long polls have sent and whose clients have not asked again yet. They are acknowledged when they do.
///
/// Only in memory: after a restart of the service, the last notification of a client is sent again.
final class SentNotifications: Sendable {
    private static let limit = 100_000

    private let sent = Lock<[RandomID: NotificationID]>([:])

    func note(_ notification: NotificationID, _ session: Session) {
        sent.withLock { sent in
            // Of devices that never ask again, something would stay forever.
            if sent.count >= SentNotifications.limit { sent.removeAll() }
            sent[session.device] = notification
        }
    }

    func take(_ session: Session) -> NotificationID? { sent.withLock { $0.removeValue(forKey: session.device) } }
}
