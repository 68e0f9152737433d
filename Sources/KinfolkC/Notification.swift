public import CKinfolk
import Kinfolk

/// A notification, and the texts that C has borrowed from it. It never changes, so it needs no lock.
final class NotificationHandle: Handle, @unchecked Sendable {
    let notification: SubscriptionNotification
    /// The names of its fields, by bytes.
    let keys: [String]
    let texts = TextArena()

    init(_ notification: SubscriptionNotification) {
        self.notification = notification
        keys = notification.fields.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

private func notification(_ handle: OpaquePointer?) throws(KinfolkError) -> NotificationHandle {
    guard let handle = peek(handle, as: NotificationHandle.self) else { throw KinfolkError.null }
    return handle
}

private func read(_ handle: OpaquePointer?) -> SubscriptionNotification? {
    peek(handle, as: NotificationHandle.self)?.notification
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { peek(handle, as: NotificationHandle.self)?.texts.text($0) }
}

@_cdecl("kinfolk_notification_id") @implementation
public func kinfolk_notification_id(
    _ handle: OpaquePointer?,
    _ id: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let id = try output(id)
        let length = try output(length)
        let handle = try notification(handle)
        id.pointee = handle.texts.bytes(handle.notification.id.bytes)
        length.pointee = handle.notification.id.bytes.count
    }
}

@_cdecl("kinfolk_notification_kind") @implementation
public func kinfolk_notification_kind(_ notification: OpaquePointer?) -> kinfolk_notice {
    kinfolk_notice(UInt32(bitPattern: read(notification)?.kind.rawValue ?? 0))
}

@_cdecl("kinfolk_notification_database") @implementation
public func kinfolk_notification_database(_ notification: OpaquePointer?) -> kinfolk_database_scope {
    guard let notification = read(notification), notification.kind != .dropped else { return KINFOLK_DATABASE_NONE }
    return kinfolk_database_scope(UInt32(bitPattern: notification.scope.rawValue))
}

@_cdecl("kinfolk_notification_subscription_id") @implementation
public func kinfolk_notification_subscription_id(_ notification: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(notification, read(notification)?.subscriptionID)
}

@_cdecl("kinfolk_notification_reason") @implementation
public func kinfolk_notification_reason(_ notification: OpaquePointer?) -> kinfolk_reason {
    kinfolk_reason(UInt32(bitPattern: read(notification)?.reason?.rawValue ?? 0))
}

@_cdecl("kinfolk_notification_record_name") @implementation
public func kinfolk_notification_record_name(_ notification: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(notification, read(notification)?.recordID?.name)
}

@_cdecl("kinfolk_notification_record_type") @implementation
public func kinfolk_notification_record_type(_ notification: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(notification, read(notification)?.recordType)
}

@_cdecl("kinfolk_notification_zone") @implementation
public func kinfolk_notification_zone(_ notification: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(notification, read(notification)?.zone)
}

// MARK: Fields

@_cdecl("kinfolk_notification_field_count") @implementation
public func kinfolk_notification_field_count(_ notification: OpaquePointer?) -> Int {
    peek(notification, as: NotificationHandle.self)?.keys.count ?? 0
}

@_cdecl("kinfolk_notification_field_name") @implementation
public func kinfolk_notification_field_name(_ notification: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(notification, as: NotificationHandle.self), handle.keys.indices.contains(index) else {
        return nil
    }
    return handle.texts.text(handle.keys[index])
}

@_cdecl("kinfolk_notification_get_value") @implementation
public func kinfolk_notification_get_value(
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let name = try text(name)
        guard let found = try notification(handle).notification.fields[name] else {
            throw KinfolkError(.unknownItem, "The notification has no such field.")
        }
        value.pointee = makeHandle(ValueHandle(found))
    }
}

// MARK: What it tells

@_cdecl("kinfolk_notification_text") @implementation
public func kinfolk_notification_text(
    _ notification: OpaquePointer?,
    _ which: kinfolk_info_text
) -> UnsafePointer<CChar>? {
    guard let path = NotificationInfo.text(which) else { return nil }
    return lend(notification, read(notification)?.info[keyPath: path])
}

@_cdecl("kinfolk_notification_get_list") @implementation
public func kinfolk_notification_get_list(
    _ handle: OpaquePointer?,
    _ which: kinfolk_info_list,
    _ texts: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let texts = try output(texts)
        let path = try NotificationInfo.list(which)
        let list = try notification(handle).notification.info[keyPath: path]
        texts.pointee = makeHandle(ValueHandle(.stringList(list)))
    }
}

@_cdecl("kinfolk_notification_flag") @implementation
public func kinfolk_notification_flag(_ notification: OpaquePointer?, _ which: kinfolk_info_flag) -> Bool {
    guard let path = NotificationInfo.flag(which) else { return false }
    return read(notification)?.info[keyPath: path] ?? false
}

@_cdecl("kinfolk_notification_free") @implementation
public func kinfolk_notification_free(_ notification: OpaquePointer?) {
    freeHandle(notification, as: NotificationHandle.self)
}
