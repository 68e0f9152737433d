#if !KINFOLK_BLOCKING
/// The calls on personal data that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Account {
    /// As the blocking form; it waits on a thread of the service's own.
    public func export() async throws(KinfolkError) -> String {
        try await service.async { try self.export() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func erase() async throws(KinfolkError) -> Erasure {
        try await service.async { try self.erase() }
    }
}

extension Session {
    /// As the blocking form; it waits on a thread of the service's own.
    public func export() async throws(KinfolkError) -> String {
        try await service.async { try self.export() }
    }
}
#endif
