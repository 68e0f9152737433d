#if !KINFOLK_BLOCKING
extension Session {
    /// As the blocking form; it waits on a thread of the service's own.
    public func block(_ record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.block(record) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func unblock(_ record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.unblock(record) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func blockedUserRecordIDs() async throws(KinfolkError) -> [UserRecordID] {
        try await service.async { try self.blockedUserRecordIDs() }
    }
}

extension Container {
    /// As the blocking form; it waits on a thread of the service's own.
    public func block(_ record: UserRecordID, from other: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.block(record, from: other) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func unblock(_ record: UserRecordID, from other: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.unblock(record, from: other) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func operatorBlocks(
        after last: OperatorBlock? = nil,
        limit: Int = 1_000
    ) async throws(KinfolkError) -> [OperatorBlock] {
        try await service.async { try self.operatorBlocks(after: last, limit: limit) }
    }
}
#endif
