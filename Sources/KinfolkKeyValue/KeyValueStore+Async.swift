#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
public import KinfolkSubscriptions

/// The blocking calls of a key-value store, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension KeyValueStore {
    /// Like the blocking form, but waits on a thread of the service.
    public func value(forKey key: String) async throws(KinfolkError) -> PropertyListValue? {
        try await session.service.async { try self.value(forKey: key) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func entries() async throws(KinfolkError) -> [(key: String, value: PropertyListValue)] {
        try await session.service.async { try self.entries() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func set(_ value: PropertyListValue, forKey key: String) async throws(KinfolkError) {
        try await session.service.async { try self.set(value, forKey: key) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeValue(forKey key: String) async throws(KinfolkError) {
        try await session.service.async { try self.removeValue(forKey: key) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func synchronize() async throws(KinfolkError) -> [KeyValueChange] {
        try await session.service.async { try self.synchronize() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func onChange(
        _ handler: @escaping @Sendable (KeyValueChange) -> Void
    ) async throws(KinfolkError) -> StoreObservation {
        try await session.service.async { try self.onChange(handler) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func changes() async throws(KinfolkError) -> AsyncStream<KeyValueChange> {
        try await session.service.async { try self.changes() }
    }
}
#endif
