public import CKinfolk
import Kinfolk

/// The subscriptions of a user to a database at one time.
final class SubscriptionListHandle: Handle, @unchecked Sendable {
    let subscriptions: [Subscription]

    init(_ subscriptions: [Subscription]) { self.subscriptions = subscriptions }
}

@_cdecl("kinfolk_subscription_save") @implementation
public func kinfolk_subscription_save(_ handle: OpaquePointer?, _ subscription: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let database = try database(handle)
        try database.save(KinfolkC.subscription(subscription))
    }
}

@_cdecl("kinfolk_subscription_delete") @implementation
public func kinfolk_subscription_delete(_ handle: OpaquePointer?, _ id: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try database(handle).deleteSubscription(text(id)) }
}

@_cdecl("kinfolk_subscription_fetch") @implementation
public func kinfolk_subscription_fetch(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<CChar>?,
    _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscription = try output(subscription)
        subscription.pointee = try makeHandle(SubscriptionHandle(database(handle).subscription(text(id))))
    }
}

@_cdecl("kinfolk_subscriptions") @implementation
public func kinfolk_subscriptions(
    _ handle: OpaquePointer?,
    _ subscriptions: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscriptions = try output(subscriptions)
        subscriptions.pointee = try makeHandle(SubscriptionListHandle(database(handle).subscriptions()))
    }
}

@_cdecl("kinfolk_subscription_list_count") @implementation
public func kinfolk_subscription_list_count(_ subscriptions: OpaquePointer?) -> Int {
    peek(subscriptions, as: SubscriptionListHandle.self)?.subscriptions.count ?? 0
}

@_cdecl("kinfolk_subscription_list_subscription") @implementation
public func kinfolk_subscription_list_subscription(
    _ handle: OpaquePointer?,
    _ index: Int,
    _ subscription: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let subscription = try output(subscription)
        guard let list = peek(handle, as: SubscriptionListHandle.self)?.subscriptions else { throw KinfolkError.null }
        guard list.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The list of subscriptions has no such index.")
        }
        subscription.pointee = makeHandle(SubscriptionHandle(list[index]))
    }
}

@_cdecl("kinfolk_subscription_list_free") @implementation
public func kinfolk_subscription_list_free(_ subscriptions: OpaquePointer?) {
    freeHandle(subscriptions, as: SubscriptionListHandle.self)
}
