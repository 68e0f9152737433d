#if !KINFOLK_BLOCKING
public import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func backUp(
        to path: String,
        progress: @escaping @Sendable (_ pages: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) {
        try await self.async { cancellation in
            try self.backUp(to: path) { pages, total throws(KinfolkError) in
                try cancellation.check()
                try progress(pages, total)
            }
        }
    }
}
#endif
