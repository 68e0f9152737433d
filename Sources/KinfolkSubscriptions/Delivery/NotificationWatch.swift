import KinfolkAccounts
import KinfolkModel
import KinfolkThreads

/// A session that takes notifications as they come. Only the thread of the ``NotificationHub`` delivers.
final class NotificationWatch: Sendable {
    let session: Session
    let recipient: Recipient
    let receive: NotificationHub.Receiver
    /// Called when the service closes.
    let ended: @Sendable () -> Void
    /// The last notification that was delivered, or left out.
    let seen: Lock<Int64>
    /// The last notification that the receiver took, and the last one that was acknowledged.
    let delivered = Lock<Int64>(0)
    let acknowledged: Lock<Int64>
    /// Until when nothing is read for it, in nanoseconds; 0 if it may be at any time.
    let pausedUntil = Lock<UInt64>(0)
    /// What is delivered before all others.
    let first: Lock<SubscriptionNotification?>

    init(
        _ session: Session,
        _ recipient: Recipient,
        seen: Int64,
        _ first: SubscriptionNotification?,
        ended: @escaping @Sendable () -> Void,
        _ receive: @escaping NotificationHub.Receiver
    ) {
        (self.session, self.recipient, self.receive, self.ended) = (session, recipient, receive, ended)
        self.first = Lock(first)
        self.seen = Lock(seen)
        acknowledged = Lock(seen)
    }

    /// Whether there is nothing to deliver if the recipient's last notification is this one.
    func isQuiet(at last: Int64) -> Bool { seen.withLock { $0 == last } && first.withLock { $0 == nil } }

    /// Whether all that the receiver took is acknowledged.
    var isAcknowledged: Bool { delivered.withLock { $0 } <= acknowledged.withLock { $0 } }
}
