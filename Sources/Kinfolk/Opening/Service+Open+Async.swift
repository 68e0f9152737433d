#if !KINFOLK_BLOCKING
public import KinfolkCore
public import KinfolkModel

extension Service {
    /// Like the blocking form, but waits on a thread of Kinfolk's own.
    public static func open(
        _ path: String,
        key: KeySource = .besideStore,
        existingOnly: Bool = false,
        readOnly: Bool = false,
        wait: Double = 30,
        memory: MemoryLimits = .standard,
        requiresLockedMemory: Bool = false
    ) async throws(KinfolkError) -> Service {
        try await onOpener {
            try Service.open(
                path,
                key: key,
                existingOnly: existingOnly,
                readOnly: readOnly,
                wait: wait,
                memory: memory,
                requiresLockedMemory: requiresLockedMemory
            )
        }
    }
}
#endif
