#if !KINFOLK_BLOCKING
import KinfolkCore
import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of Kinfolk's own, which also calls `progress`.
    @discardableResult
    public static func restore(
        _ path: String,
        from backup: String,
        key: KeySource = .besideStore,
        replacingOther: Bool = false,
        wait: Double = 5,
        progress: @escaping @Sendable (StoreRestore) throws(KinfolkError) -> Void = { _ in }
    ) async throws(KinfolkError) -> StoreCheck {
        try await onOpener { cancellation in
            try Service.restore(path, from: backup, key: key, replacingOther: replacingOther, wait: wait) {
                done throws(KinfolkError) in
                try cancellation.check()
                try progress(done)
            }
        }
    }
}
#endif
