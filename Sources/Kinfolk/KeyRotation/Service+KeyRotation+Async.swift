#if !KINFOLK_BLOCKING
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    @discardableResult
    public func rotateKeys(
        to key: KeySource? = nil,
        isLeaked: Bool = false,
        progress: @escaping @Sendable (KeyRotation.Progress) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> KeyRotation {
        try await self.async { cancellation in
            try self.rotateKeys(to: key, isLeaked: isLeaked) { done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }
}
#endif
