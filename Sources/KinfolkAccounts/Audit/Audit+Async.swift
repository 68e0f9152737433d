#if !KINFOLK_BLOCKING
public import KinfolkCore
public import KinfolkModel
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func account(of record: UserRecordID, reason: String) async throws(KinfolkError) -> Account {
        try await service.async { try self.account(of: record, reason: reason) }
    }
}

extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func auditLog(after number: Int64 = 0, limit: Int = 1_000) async throws(KinfolkError) -> [AuditEntry] {
        try await self.async { try self.auditLog(after: number, limit: limit) }
    }
}
#endif
