#if !KINFOLK_BLOCKING
import KinfolkCore
public import KinfolkModel
/// The blocking calls of a session, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func accountStatus() async -> AccountStatus {
        do { return try await service.async { self.accountStatus() } } catch { return .couldNotDetermine }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func userRecordID() async throws(KinfolkError) -> UserRecordID {
        try await service.async { try self.userRecordID() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func accountChanges() async throws(KinfolkError) -> AsyncStream<Void> {
        try await service.async { try self.accountChanges() }
    }
}
#endif
