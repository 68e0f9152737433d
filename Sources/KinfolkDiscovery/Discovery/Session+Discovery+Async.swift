#if !KINFOLK_BLOCKING
public import KinfolkAccounts
public import KinfolkContacts
import KinfolkCore
public import KinfolkModel
/// The blocking calls on discovery, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func discoverability() async throws(KinfolkError) -> Discoverability {
        try await service.async { try self.discoverability() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setDiscoverability(_ decision: Discoverability, wording: ConsentWording) async throws(KinfolkError) {
        try await service.async { try self.setDiscoverability(decision, wording: wording) }
    }

    /// Like the blocking form, but the prompt is `async` too: it occupies no thread while the person thinks.
    public func requestDiscoverability(
        wording: ConsentWording,
        prompt: @Sendable (ConsentWording) async -> Discoverability
    ) async throws(KinfolkError) -> Discoverability {
        let known = try await service.async { try self.storedAnswer(to: wording) }
        guard known == .undetermined else { return known }
        let answer = await prompt(wording)
        guard answer != .undetermined else { return answer }
        return try await service.async { try self.keepAnswer(answer, to: wording) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func permitsLeft() async throws(KinfolkError) -> UInt32 {
        try await service.async { try self.permitsLeft() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func discover(_ record: UserRecordID) async throws(KinfolkError) -> DiscoveredIdentity? {
        try await service.async { try self.discover(record) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func discover(_ email: EmailAddress) async throws(KinfolkError) -> DiscoveredIdentity? {
        try await service.async { try self.discover(email) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func discover(_ book: ContactBook, syncState: [UInt8] = []) async throws(KinfolkError) -> Discovery {
        try await service.async { try self.discover(book, syncState: syncState) }
    }
}
#endif
