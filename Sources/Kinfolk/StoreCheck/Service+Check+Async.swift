#if !KINFOLK_BLOCKING
extension Service {
    /// As the blocking form; it waits on a thread of the service's own. `progress` runs there.
    public func check(
        progress: @escaping @Sendable (_ rows: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> StoreCheck {
        try await async { try self.check(progress: progress) }
    }
}
#endif
