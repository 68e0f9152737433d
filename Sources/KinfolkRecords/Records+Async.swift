#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
/// The blocking calls on user records, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func fetchUserRecord(in database: Database = .public) async throws(KinfolkError) -> Record {
        try await service.async { try self.fetchUserRecord(in: database) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func fetchUserRecord(_ id: UserRecordID, in database: Database = .public) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.fetchUserRecord(id, in: database) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func save(_ record: Record, policy: SavePolicy = .ifServerRecordUnchanged) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.save(record, policy: policy) }
    }
}

/// The blocking calls on the schema, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func addField(_ name: String, type: FieldType) async throws(KinfolkError) {
        try await service.async { try self.addField(name, type: type) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeField(_ name: String) async throws(KinfolkError) {
        try await service.async { try self.removeField(name) }
    }
}
#endif
