#if !KINFOLK_BLOCKING
/// The service's calls on claims that block, for async callers: each waits on a thread of the service's own. What a call does,
/// takes and throws is said at its blocking form.
extension Service {
    /// As the blocking form; it waits on a thread of the service's own.
    public func emailClaims(after last: ClaimID? = nil, limit: Int = 1_000) async throws(KinfolkError) -> [EmailClaim] {
        try await self.async { try self.emailClaims(after: last, limit: limit) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    @discardableResult
    public func acknowledgeNotice(of claim: ClaimID) async throws(KinfolkError) -> EmailClaim {
        try await self.async { try self.acknowledgeNotice(of: claim) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    @discardableResult
    public func dismissClaim(_ claim: ClaimID) async throws(KinfolkError) -> EmailClaim {
        try await self.async { try self.dismissClaim(claim) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func transferEmail(_ spelling: String, to account: Account) async throws(KinfolkError) {
        try await self.async { try self.transferEmail(spelling, to: account) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func claimWait() async throws(KinfolkError) -> Double {
        try await self.async { try self.claimWait() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setClaimWait(_ seconds: Double) async throws(KinfolkError) {
        try await self.async { try self.setClaimWait(seconds) }
    }
}
#endif
