#if !KINFOLK_BLOCKING
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
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
