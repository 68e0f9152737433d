#if !KINFOLK_BLOCKING
public import KinfolkContacts
public import KinfolkCore
public import KinfolkModel
/// The blocking calls of the service on accounts, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func createAccount(name: PersonName = PersonName()) async throws(KinfolkError) -> Account {
        try await self.async { try self.createAccount(name: name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func findOrCreateAccount(
        email spelling: String,
        name: PersonName = PersonName()
    ) async throws(KinfolkError) -> (account: Account, isNew: Bool) {
        try await self.async { try self.findOrCreateAccount(email: spelling, name: name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func account(_ id: AccountID) async throws(KinfolkError) -> Account {
        try await self.async { try self.account(id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func account(email: EmailAddress) async throws(KinfolkError) -> Account {
        try await self.async { try self.account(email: email) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func accounts(after last: AccountID? = nil, limit: Int = 1_000) async throws(KinfolkError) -> [Account] {
        try await self.async { try self.accounts(after: last, limit: limit) }
    }
}
#endif
