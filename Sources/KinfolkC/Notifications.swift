public import CKinfolk
import Kinfolk

/// Notifications of a device, as they were fetched.
final class NotificationsHandle: Handle, @unchecked Sendable {
    let notifications: [SubscriptionNotification]

    init(_ notifications: [SubscriptionNotification]) { self.notifications = notifications }
}

@_cdecl("kinfolk_notifications_fetch") @implementation
public func kinfolk_notifications_fetch(
    _ handle: OpaquePointer?,
    _ limit: Int,
    _ seconds: Double,
    _ notifications: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let notifications = try output(notifications)
        let limit = limit == 0 ? 100 : limit
        let found = try session(handle).notifications(limit: limit, waitingFor: seconds)
        notifications.pointee = makeHandle(NotificationsHandle(found))
    }
}

@_cdecl("kinfolk_notifications_count") @implementation
public func kinfolk_notifications_count(_ notifications: OpaquePointer?) -> Int {
    peek(notifications, as: NotificationsHandle.self)?.notifications.count ?? 0
}

@_cdecl("kinfolk_notifications_notification") @implementation
public func kinfolk_notifications_notification(
    _ handle: OpaquePointer?,
    _ index: Int,
    _ notification: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let notification = try output(notification)
        guard let list = peek(handle, as: NotificationsHandle.self)?.notifications else { throw KinfolkError.null }
        guard list.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The list of notifications has no such index.")
        }
        notification.pointee = makeHandle(NotificationHandle(list[index]))
    }
}

@_cdecl("kinfolk_notifications_free") @implementation
public func kinfolk_notifications_free(_ notifications: OpaquePointer?) {
    freeHandle(notifications, as: NotificationsHandle.self)
}

@_cdecl("kinfolk_notifications_acknowledge") @implementation
public func kinfolk_notifications_acknowledge(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let session = try session(handle)
        let bytes = try bytes(id, length)
        guard bytes.count <= NotificationID.maximumLength else {
            throw KinfolkError(
                .invalidArgument,
                "The ID of a notification has at most \(NotificationID.maximumLength) bytes."
            )
        }
        try session.acknowledge(through: NotificationID(bytes: Array(bytes)))
    }
}

@_cdecl("kinfolk_session_on_notification") @implementation
public func kinfolk_session_on_notification(
    _ handle: OpaquePointer?,
    _ receive: kinfolk_notification_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(handle, as: SessionHandle.self)
        guard handle.session.account != nil else { throw KinfolkError(.notAuthenticated, "The session is anonymous.") }
        let callback = receive.map { NotificationCallback(function: $0, context: context) }
        let new = try callback.map { callback throws(KinfolkError) in
            try handle.session.onNotification { notification in callback.call(notification) }
        }
        handle.notifications.replace(by: new)
    }
}

/// A function of the host and its context. The host is responsible that it may be called on a thread of the service.
private struct NotificationCallback: @unchecked Sendable {
    let function: kinfolk_notification_fn
    let context: UnsafeMutableRawPointer?

    func call(_ notification: SubscriptionNotification) -> Bool {
        let handle = makeHandle(NotificationHandle(notification))
        defer { freeHandle(handle, as: NotificationHandle.self) }
        return function(handle, context)
    }
}
