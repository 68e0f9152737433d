#if !KINFOLK_BLOCKING
/// The service's calls on containers that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Service {
    /// As the blocking form; it waits on a thread of the service's own.
    public func createContainer(_ name: String) async throws(KinfolkError) -> Container {
        try await self.async { try self.createContainer(name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func openOrCreateContainer(_ name: String) async throws(KinfolkError) -> Container {
        try await self.async { try self.openOrCreateContainer(name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func container(_ name: String) async throws(KinfolkError) -> Container {
        try await self.async { try self.container(name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func containers() async throws(KinfolkError) -> [Container] {
        try await self.async { try self.containers() }
    }
}

/// The calls of a container that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Container {
    /// As the blocking form; it waits on a thread of the service's own.
    public func session(for account: Account) async throws(KinfolkError) -> Session {
        try await service.async { try self.session(for: account) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func permitLimit() async throws(KinfolkError) -> PermitLimit {
        try await service.async { try self.permitLimit() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setPermitLimit(_ limit: PermitLimit) async throws(KinfolkError) {
        try await service.async { try self.setPermitLimit(limit) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func permitsLeft(of record: UserRecordID) async throws(KinfolkError) -> UInt32 {
        try await service.async { try self.permitsLeft(of: record) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setPermitsLeft(_ permits: UInt32, of record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.setPermitsLeft(permits, of: record) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func topUpPermits(of record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.topUpPermits(of: record) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func privateWorkLimit() async throws(KinfolkError) -> PrivateWorkLimit {
        try await service.async { try self.privateWorkLimit() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setPrivateWorkLimit(_ limit: PrivateWorkLimit) async throws(KinfolkError) {
        try await service.async { try self.setPrivateWorkLimit(limit) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func fieldLimit() async throws(KinfolkError) -> UInt32 {
        try await service.async { try self.fieldLimit() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setFieldLimit(_ fields: UInt32) async throws(KinfolkError) {
        try await service.async { try self.setFieldLimit(fields) }
    }
}
#endif
