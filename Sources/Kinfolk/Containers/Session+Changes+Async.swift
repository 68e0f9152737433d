#if !KINFOLK_BLOCKING
extension Session {
    /// Tells of changes to the account behind the session: suspended, resumed, erased, its name, its addresses, its consent
    /// in this container.
    ///
    /// Several changes may give one element. Those made by another process arrive within about a second. The stream ends
    /// when it is no longer read.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous.
    public func accountChanges() throws(KinfolkError) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = try observeAccount { continuation.yield() }
        // The observation lives as long as the stream.
        continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        return stream
    }
}
#endif
