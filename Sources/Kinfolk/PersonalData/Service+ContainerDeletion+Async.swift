#if !KINFOLK_BLOCKING
extension Service {
    /// As the blocking form; it waits on a thread of the service's own, where it tells `progress`.
    @discardableResult
    public func deleteContainer(
        _ name: String,
        progress: @escaping @Sendable (ContainerDeletion.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> ContainerDeletion {
        try await self.async { cancellation in
            try self.deleteContainer(name) { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }
}
#endif
