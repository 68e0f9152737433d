#if !KINFOLK_BLOCKING
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    @discardableResult
    public func copy(
        to destination: String,
        wait: Double? = nil,
        progress: @escaping @Sendable (StoreCopy.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> StoreCopy {
        try await self.async { cancellation in
            try self.copy(to: destination, wait: wait) { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }
}
#endif
