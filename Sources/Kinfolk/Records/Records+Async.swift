#if !KINFOLK_BLOCKING
/// The calls on user records that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Session {
    /// As the blocking form; it waits on a thread of the service's own.
    public func fetchUserRecord(in database: Database = .public) async throws(KinfolkError) -> Record {
        try await service.async { try self.fetchUserRecord(in: database) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func fetchUserRecord(_ id: UserRecordID, in database: Database = .public) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.fetchUserRecord(id, in: database) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func save(_ record: Record, policy: SavePolicy = .ifServerRecordUnchanged) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.save(record, policy: policy) }
    }
}

/// The calls on the schema that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Container {
    /// As the blocking form; it waits on a thread of the service's own.
    public func addField(_ name: String, type: FieldType) async throws(KinfolkError) {
        try await service.async { try self.addField(name, type: type) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func removeField(_ name: String) async throws(KinfolkError) {
        try await service.async { try self.removeField(name) }
    }
}
#endif
