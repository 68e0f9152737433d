#if !KINFOLK_BLOCKING
public import KinfolkModel
extension Session {
    /// Reports changes to the account behind the session: suspension, resumption, erasure, its name, its addresses, and its
    /// consent in this container.
    ///
    /// Several changes may yield one element. Changes by another process arrive within about a second. The observation ends when
    /// the stream is no longer read, and the stream ends when the service is closed.
    ///
    /// ```swift
    /// for await _ in try await session.accountChanges() {
    ///     show(await session.accountStatus())
    /// }
    /// ```
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous.
    public func accountChanges() throws(KinfolkError) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = try observeAccount({ continuation.yield() }, ended: { continuation.finish() })
        // The observation lives as long as the stream.
        continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        return stream
    }
}
#endif
