#if !KINFOLK_BLOCKING
public import KinfolkModel
extension Service {
    /// Like the blocking form, but waits on a thread of Kinfolk's own.
    @discardableResult
    public static func acceptOlder(
        _ path: String,
        key: KeySource = .besideStore,
        wait: Double = 30
    ) async throws(KinfolkError) -> Bool {
        try await onOpener { try Service.acceptOlder(path, key: key, wait: wait) }
    }
}
#endif
