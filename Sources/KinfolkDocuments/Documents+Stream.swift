#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkRecords
import KinfolkSubscriptions

extension Documents {
    /// The changes by other devices, for as long as the stream is read and the service is open.
    ///
    /// ```swift
    /// for await change in try await documents.changeStream() where change.kind == .changed {
    ///     show(change.document)
    /// }
    /// ```
    ///
    /// - Parameter token: The token after which the changes are reported; nil for those from now on.
    /// - Throws: What `onChange(since:_:)` throws.
    public func changeStream(since token: ServerChangeToken? = nil) throws(KinfolkError) -> AsyncStream<DocumentChange>
    {
        let news = try DocumentNews(self, since: token)
        let session = session
        return try ChangeStream.make(
            observing: {
                (ring: @escaping @Sendable () -> Void, ended: @escaping @Sendable () -> Void) throws(KinfolkError) in
                try session.observe(.documents, ended: ended) { _ in
                    ring()
                    return .read
                }
            },
            reading: { await (try? session.service.async { news.page() }) ?? nil }
        )
    }
}
#endif
