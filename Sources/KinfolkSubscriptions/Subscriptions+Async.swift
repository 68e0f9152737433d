#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
public import KinfolkRecords

/// The blocking calls about subscriptions, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Database {
    /// Like the blocking form, but waits on a thread of the service.
    public func save(_ subscription: Subscription) async throws(KinfolkError) {
        try await session.container.service.async { try self.save(subscription) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func deleteSubscription(_ id: String) async throws(KinfolkError) {
        try await session.container.service.async { try self.deleteSubscription(id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func subscriptions() async throws(KinfolkError) -> [Subscription] {
        try await session.container.service.async { try self.subscriptions() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func subscription(_ id: String) async throws(KinfolkError) -> Subscription {
        try await session.container.service.async { try self.subscription(id) }
    }
}

extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func devices() async throws(KinfolkError) -> [Device] {
        try await service.async { try self.devices() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeDevice(named name: String) async throws(KinfolkError) {
        try await service.async { try self.removeDevice(named: name) }
    }

    /// Like the blocking form, but waits on a thread of the service, which it keeps while it waits for notifications. The stream needs none.
    public func notifications(
        limit: Int = 100,
        waitingFor seconds: Double = 0
    ) async throws(KinfolkError) -> [SubscriptionNotification] {
        try await service.async { try self.notifications(limit: limit, waitingFor: seconds) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func acknowledge(_ notification: SubscriptionNotification) async throws(KinfolkError) {
        try await service.async { try self.acknowledge(notification) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func acknowledge(through id: NotificationID) async throws(KinfolkError) {
        try await service.async { try self.acknowledge(through: id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func onNotification(
        _ handler: @escaping @Sendable (SubscriptionNotification) -> Bool
    ) async throws(KinfolkError) -> StoreObservation {
        try await service.async { try self.onNotification(handler) }
    }
}

extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func session(for account: Account, device name: String) async throws(KinfolkError) -> Session {
        try await service.async { try self.session(for: account, device: name) }
    }
}
#endif
