public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A subscription, which C changes in place, and the texts that C has borrowed from it.
final class SubscriptionHandle: Handle, @unchecked Sendable {
    let subscription: Lock<Subscription>
    let texts = TextArena()

    init(_ subscription: Subscription) { self.subscription = Lock(subscription) }
}

/// A subscription that may not be NULL.
func subscription(_ handle: OpaquePointer?) throws(KinfolkError) -> Subscription {
    guard let handle = peek(handle, as: SubscriptionHandle.self) else { throw KinfolkError.null }
    return handle.subscription.withLock { $0 }
}

/// An ID that may be NULL.
private func identifier(_ id: UnsafePointer<CChar>?) throws(KinfolkError) -> String? { id == nil ? nil : try text(id) }

@_cdecl("kinfolk_subscription_new_query") @implementation
public func kinfolk_subscription_new_query(
    _ query: OpaquePointer?,
    _ options: UInt32,
    _ id: UnsafePointer<CChar>?,
    _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscription = try output(subscription)
        let (query, content) = try object(query, as: QueryHandle.self).prepared()
        var new = try Subscription(
            query: query,
            inZone: content.zone,
            options: SubscriptionOptions(rawValue: Int32(bitPattern: options)),
            id: identifier(id)
        )
        new.info.desiredKeys = (content.desiredKeys ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        try new.info.validate()
        subscription.pointee = makeHandle(SubscriptionHandle(new))
    }
}

@_cdecl("kinfolk_subscription_new_zone") @implementation
public func kinfolk_subscription_new_zone(
    _ zone: UnsafePointer<CChar>?,
    _ id: UnsafePointer<CChar>?,
    _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscription = try output(subscription)
        subscription.pointee = try makeHandle(
            SubscriptionHandle(Subscription(zone: text(zone), id: identifier(id)))
        )
    }
}

@_cdecl("kinfolk_subscription_new_database") @implementation
public func kinfolk_subscription_new_database(
    _ id: UnsafePointer<CChar>?,
    _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscription = try output(subscription)
        subscription.pointee = try makeHandle(SubscriptionHandle(Subscription(databaseWithID: identifier(id))))
    }
}

// MARK: What it is about

private func read<Value>(_ handle: OpaquePointer?, _ body: (Subscription) -> Value) -> Value? {
    peek(handle, as: SubscriptionHandle.self)?.subscription.withLock { body($0) }
}

private func lend(_ handle: OpaquePointer?, _ body: (Subscription) -> String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: SubscriptionHandle.self)?.texts else { return nil }
    return read(handle, body)?.flatMap(texts.text)
}

@_cdecl("kinfolk_subscription_id") @implementation
public func kinfolk_subscription_id(_ subscription: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(subscription) { $0.id }
}

@_cdecl("kinfolk_subscription_type") @implementation
public func kinfolk_subscription_type(_ subscription: OpaquePointer?) -> kinfolk_subject {
    kinfolk_subject(UInt32(bitPattern: read(subscription) { $0.type.rawValue } ?? 0))
}

@_cdecl("kinfolk_subscription_options") @implementation
public func kinfolk_subscription_options(_ subscription: OpaquePointer?) -> UInt32 {
    UInt32(bitPattern: read(subscription) { $0.options.rawValue } ?? 0)
}

@_cdecl("kinfolk_subscription_zone") @implementation
public func kinfolk_subscription_zone(_ subscription: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(subscription) { $0.zone }
}

@_cdecl("kinfolk_subscription_record_type") @implementation
public func kinfolk_subscription_record_type(_ subscription: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(subscription) { $0.query?.recordType }
}

@_cdecl("kinfolk_subscription_predicate") @implementation
public func kinfolk_subscription_predicate(_ subscription: OpaquePointer?) -> UnsafePointer<CChar>? {
    lend(subscription) { $0.query?.predicate.text }
}

@_cdecl("kinfolk_subscription_argument_count") @implementation
public func kinfolk_subscription_argument_count(_ subscription: OpaquePointer?) -> Int {
    read(subscription) { $0.query?.predicate.arguments.count ?? 0 } ?? 0
}

@_cdecl("kinfolk_subscription_argument") @implementation
public func kinfolk_subscription_argument(
    _ handle: OpaquePointer?,
    _ index: Int,
    _ value: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let value = try output(value)
        let arguments = try subscription(handle).query?.predicate.arguments ?? []
        guard arguments.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The predicate has no such placeholder.")
        }
        value.pointee = makeHandle(ValueHandle(arguments[index]))
    }
}

@_cdecl("kinfolk_subscription_free") @implementation
public func kinfolk_subscription_free(_ subscription: OpaquePointer?) {
    freeHandle(subscription, as: SubscriptionHandle.self)
}

// MARK: What its notifications tell

private func change(
    _ handle: OpaquePointer?,
    _ body: (inout NotificationInfo) throws(KinfolkError) -> Void
) throws(KinfolkError) {
    let handle = try object(handle, as: SubscriptionHandle.self)
    try handle.subscription.withLock { subscription throws(KinfolkError) in
        var info = subscription.info
        try body(&info)
        try info.validate()
        subscription.info = info
    }
}

@_cdecl("kinfolk_subscription_set_text") @implementation
public func kinfolk_subscription_set_text(
    _ subscription: OpaquePointer?,
    _ which: kinfolk_info_text,
    _ text: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let text = try KinfolkC.text(text)
        guard let path = NotificationInfo.text(which) else {
            throw KinfolkError(.invalidArgument, "A notification has no such text.")
        }
        try change(subscription) { info in info[keyPath: path] = text }
    }
}

@_cdecl("kinfolk_subscription_set_list") @implementation
public func kinfolk_subscription_set_list(
    _ subscription: OpaquePointer?,
    _ which: kinfolk_info_list,
    _ keys: UnsafePointer<UnsafePointer<CChar>?>?,
    _ count: Int
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let path = try NotificationInfo.list(which)
        var list: [String] = []
        for key in try array(keys, count) { list.append(try text(key)) }
        let keys = list
        try change(subscription) { info in info[keyPath: path] = keys }
    }
}

@_cdecl("kinfolk_subscription_set_flag") @implementation
public func kinfolk_subscription_set_flag(
    _ subscription: OpaquePointer?,
    _ which: kinfolk_info_flag,
    _ flag: Bool
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        guard let path = NotificationInfo.flag(which) else {
            throw KinfolkError(.invalidArgument, "A notification has no such flag.")
        }
        try change(subscription) { info in info[keyPath: path] = flag }
    }
}

@_cdecl("kinfolk_subscription_text") @implementation
public func kinfolk_subscription_text(
    _ subscription: OpaquePointer?,
    _ which: kinfolk_info_text
) -> UnsafePointer<CChar>? {
    lend(subscription) { subscription in NotificationInfo.text(which).map { subscription.info[keyPath: $0] } }
}

@_cdecl("kinfolk_subscription_get_list") @implementation
public func kinfolk_subscription_get_list(
    _ handle: OpaquePointer?,
    _ which: kinfolk_info_list,
    _ keys: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let keys = try output(keys)
        let path = try NotificationInfo.list(which)
        let list = try subscription(handle).info[keyPath: path]
        keys.pointee = makeHandle(ValueHandle(.stringList(list)))
    }
}

@_cdecl("kinfolk_subscription_flag") @implementation
public func kinfolk_subscription_flag(_ subscription: OpaquePointer?, _ which: kinfolk_info_flag) -> Bool {
    guard let path = NotificationInfo.flag(which) else { return false }
    return read(subscription) { $0.info[keyPath: path] } ?? false
}
