#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkModel
/// The blocking calls on personal data, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Account {
    /// Like the blocking form, but waits on a thread of the service.
    public func export() async throws(KinfolkError) -> String {
        try await service.async { try self.export() }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `write`.
    public func exportArchive(
        write: @escaping @Sendable ([UInt8]) throws(KinfolkError) -> Void
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.exportArchive { piece throws(KinfolkError) in
                try cancellation.check()
                try write(piece)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func erase(keepsPublicRecords: Bool = false) async throws(KinfolkError) -> Erasure {
        try await service.async { try self.erase(keepsPublicRecords: keepsPublicRecords) }
    }
}

extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func export() async throws(KinfolkError) -> String {
        try await service.async { try self.export() }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `write`.
    public func exportArchive(
        write: @escaping @Sendable ([UInt8]) throws(KinfolkError) -> Void
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.exportArchive { piece throws(KinfolkError) in
                try cancellation.check()
                try write(piece)
            }
        }
    }
}
#endif
