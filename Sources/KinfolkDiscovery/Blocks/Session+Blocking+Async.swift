#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func block(_ record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.block(record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func unblock(_ record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.unblock(record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func blockedUserRecordIDs() async throws(KinfolkError) -> [UserRecordID] {
        try await service.async { try self.blockedUserRecordIDs() }
    }
}

extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func block(_ record: UserRecordID, from other: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.block(record, from: other) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func unblock(_ record: UserRecordID, from other: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.unblock(record, from: other) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func operatorBlocks(
        after last: OperatorBlock? = nil,
        limit: Int = 1_000
    ) async throws(KinfolkError) -> [OperatorBlock] {
        try await service.async { try self.operatorBlocks(after: last, limit: limit) }
    }
}
#endif
