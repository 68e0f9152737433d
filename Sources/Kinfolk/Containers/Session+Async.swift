#if !KINFOLK_BLOCKING
/// The calls of a session that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Session {
    public func accountStatus() async -> AccountStatus {
        do { return try await service.async { self.accountStatus() } } catch { return .couldNotDetermine }
    }

    public func userRecordID() async throws(KinfolkError) -> UserRecordID {
        try await service.async { try self.userRecordID() }
    }

    public func accountChanges() async throws(KinfolkError) -> AsyncStream<Void> {
        try await service.async { try self.accountChanges() }
    }
}
#endif
