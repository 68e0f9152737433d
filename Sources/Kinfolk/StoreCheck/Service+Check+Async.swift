#if !KINFOLK_BLOCKING
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func check(
        progress: @escaping @Sendable (_ rows: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> StoreCheck {
        try await self.async { cancellation in
            try self.check { rows, total throws(KinfolkError) in
                try cancellation.check()
                try progress(rows, total)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func recountBytes() async throws(KinfolkError) {
        try await self.async { try self.recountBytes() }
    }
}
#endif
