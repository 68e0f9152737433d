#if !KINFOLK_BLOCKING
public import KinfolkAccounts
public import KinfolkCore
public import KinfolkModel

/// The blocking calls about API tokens and servers' keys, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func createAPIToken(
        named name: String,
        origins: [String] = [],
        returnURLs: [String] = [],
        allowsDiscovery: Bool = false
    ) async throws(KinfolkError) -> (token: String, description: APIToken) {
        try await service.async {
            try self.createAPIToken(
                named: name,
                origins: origins,
                returnURLs: returnURLs,
                allowsDiscovery: allowsDiscovery
            )
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func apiTokens() async throws(KinfolkError) -> [APIToken] {
        try await service.async { try self.apiTokens() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func deleteAPIToken(named name: String) async throws(KinfolkError) {
        try await service.async { try self.deleteAPIToken(named: name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func addServerKey(_ publicKey: [UInt8], named name: String) async throws(KinfolkError) -> ServerKey {
        try await service.async { try self.addServerKey(publicKey, named: name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func addServerKey(_ pem: String, named name: String) async throws(KinfolkError) -> ServerKey {
        try await service.async { try self.addServerKey(pem, named: name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func serverKeys() async throws(KinfolkError) -> [ServerKey] {
        try await service.async { try self.serverKeys() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func serverKey(_ id: String) async throws(KinfolkError) -> ServerKey {
        try await service.async { try self.serverKey(id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeServerKey(_ id: String) async throws(KinfolkError) {
        try await service.async { try self.removeServerKey(id) }
    }
}

/// The same for web sessions and identities.
extension Account {
    /// Like the blocking form, but waits on a thread of the service.
    public func webSessions() async throws(KinfolkError) -> [WebSession] {
        try await service.async { try self.webSessions() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func endWebSession(_ session: String) async throws(KinfolkError) {
        try await service.async { try self.endWebSession(session) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func endWebSessions() async throws(KinfolkError) {
        try await service.async { try self.endWebSessions() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func addIdentity(issuer: String, subject: String) async throws(KinfolkError) {
        try await service.async { try self.addIdentity(issuer: issuer, subject: subject) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func identities() async throws(KinfolkError) -> [LinkedIdentity] {
        try await service.async { try self.identities() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeIdentity(issuer: String, subject: String) async throws(KinfolkError) {
        try await service.async { try self.removeIdentity(issuer: issuer, subject: subject) }
    }
}

extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func account(issuer: String, subject: String) async throws(KinfolkError) -> Account {
        try await self.async { try self.account(issuer: issuer, subject: subject) }
    }
}
#endif
