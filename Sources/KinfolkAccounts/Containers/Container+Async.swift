#if !KINFOLK_BLOCKING
public import KinfolkCore
public import KinfolkModel
/// The blocking calls of the service on containers, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func createContainer(_ name: String) async throws(KinfolkError) -> Container {
        try await self.async { try self.createContainer(name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func openOrCreateContainer(
        _ name: String
    ) async throws(KinfolkError) -> (container: Container, isNew: Bool) {
        try await self.async { try self.openOrCreateContainer(name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func container(
        _ name: String,
        environment: ContainerEnvironment = .production
    ) async throws(KinfolkError) -> Container {
        try await self.async { try self.container(name, environment: environment) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func containers() async throws(KinfolkError) -> [Container] {
        try await self.async { try self.containers() }
    }
}

/// The blocking calls of a container, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func session(for account: Account) async throws(KinfolkError) -> Session {
        try await service.async { try self.session(for: account) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func permitLimit() async throws(KinfolkError) -> PermitLimit {
        try await service.async { try self.permitLimit() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setPermitLimit(_ limit: PermitLimit) async throws(KinfolkError) {
        try await service.async { try self.setPermitLimit(limit) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func permitsLeft(of record: UserRecordID) async throws(KinfolkError) -> UInt32 {
        try await service.async { try self.permitsLeft(of: record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setPermitsLeft(_ permits: UInt32, of record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.setPermitsLeft(permits, of: record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func topUpPermits(of record: UserRecordID) async throws(KinfolkError) {
        try await service.async { try self.topUpPermits(of: record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func privateWorkLimit() async throws(KinfolkError) -> PrivateWorkLimit {
        try await service.async { try self.privateWorkLimit() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setPrivateWorkLimit(_ limit: PrivateWorkLimit) async throws(KinfolkError) {
        try await service.async { try self.setPrivateWorkLimit(limit) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func fieldLimit() async throws(KinfolkError) -> UInt32 {
        try await service.async { try self.fieldLimit() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setFieldLimit(_ fields: UInt32) async throws(KinfolkError) {
        try await service.async { try self.setFieldLimit(fields) }
    }
}
#endif
