#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel

extension Session {
    /// The notifications of the session, those that wait and then those that come.
    ///
    /// ```swift
    /// for await notification in try await session.notificationStream() {
    ///     show(notification.fields)
    /// }
    /// ```
    ///
    /// A notification is acknowledged, with all before it, when the next one is asked for. It ends when the stream is no longer read, the
    /// task is cancelled, or the service is closed.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/limitExceeded`` if the user has too many devices, ``KinfolkError/Code/permissionFailure`` if the service is open
    ///   read-only.
    public func notificationStream() throws(KinfolkError) -> AsyncStream<SubscriptionNotification> {
        let buffer = NotificationBuffer(self)
        buffer.begin(
            try observe(ended: buffer.close) { _, _ in
                buffer.stir()
                return true
            }
        )
        let end = NotificationStreamEnd(buffer)
        return AsyncStream {
            await withExtendedLifetime(end) { buffer }.next()
        } onCancel: {
            buffer.end()
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func notificationStream() async throws(KinfolkError) -> AsyncStream<SubscriptionNotification> {
        try await service.async { try self.notificationStream() }
    }
}

/// Ends the delivery when the stream is no longer read.
private final class NotificationStreamEnd: Sendable {
    private let buffer: NotificationBuffer

    init(_ buffer: NotificationBuffer) { self.buffer = buffer }

    deinit { buffer.end() }
}
#endif
