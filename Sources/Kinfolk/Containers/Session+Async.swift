#if !KINFOLK_BLOCKING
/// The calls of a session that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Session {
    /// As the blocking form; it waits on a thread of the service's own.
    public func accountStatus() async -> AccountStatus {
        do { return try await service.async { self.accountStatus() } } catch { return .couldNotDetermine }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func userRecordID() async throws(KinfolkError) -> UserRecordID {
        try await service.async { try self.userRecordID() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func accountChanges() async throws(KinfolkError) -> AsyncStream<Void> {
        try await service.async { try self.accountChanges() }
    }
}
#endif
