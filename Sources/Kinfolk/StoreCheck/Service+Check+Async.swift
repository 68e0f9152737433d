#if !KINFOLK_BLOCKING
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func check(
        progress: @escaping @Sendable (_ rows: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> StoreCheck {
        try await async { try self.check(progress: progress) }
    }
}
#endif
