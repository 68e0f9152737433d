#if !KINFOLK_BLOCKING
/// The service's calls on accounts that block, for async callers: each waits on a thread of the service's own.
/// What a call does, takes and throws is said at its blocking form.
extension Service {
    /// As the blocking form; it waits on a thread of the service's own.
    public func createAccount(name: PersonName = PersonName()) async throws(KinfolkError) -> Account {
        try await self.async { try self.createAccount(name: name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func findOrCreateAccount(
        email spelling: String,
        name: PersonName = PersonName()
    ) async throws(KinfolkError) -> (account: Account, isNew: Bool) {
        try await self.async { try self.findOrCreateAccount(email: spelling, name: name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func account(_ id: AccountID) async throws(KinfolkError) -> Account {
        try await self.async { try self.account(id) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func account(email: EmailAddress) async throws(KinfolkError) -> Account {
        try await self.async { try self.account(email: email) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func accounts(after last: AccountID? = nil, limit: Int = 1_000) async throws(KinfolkError) -> [Account] {
        try await self.async { try self.accounts(after: last, limit: limit) }
    }
}
#endif
