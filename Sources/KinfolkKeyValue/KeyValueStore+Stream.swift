#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkRecords
import KinfolkSubscriptions
import KinfolkThreads

extension KeyValueStore {
    /// The changes since the last time, and then those that come, for as long as the stream is read and the service is open.
    ///
    /// ```swift
    /// for await change in try await settings.changes() {
    ///     for key in change.keys { show(key, try await settings.value(forKey: key)) }
    /// }
    /// ```
    ///
    /// Several changes that come before the next one is asked for are one element. Those of the account are among them, as in
    /// `onChange(_:)`.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func changes() throws(KinfolkError) -> AsyncStream<KeyValueChange> {
        _ = try session.read(.keyValueStore) { try $0.lastChange() }
        let store = self
        return try ChangeStream.make(
            observing: {
                (ring: @escaping @Sendable () -> Void, ended: @escaping @Sendable () -> Void) throws(KinfolkError) in
                try store.session.observe(.keyValueStore, isAsked: { store.isAsked }, ended: ended) { _ in
                    ring()
                    return .read
                }
            },
            reading: {
                let report = (try? await store.session.service.async { store.reportWithAccount() }) ?? nil
                if let report { try? await store.session.service.async { store.note(report) } }
                return report.map { ($0.changes, false) }
            }
        )
    }
}
#endif
