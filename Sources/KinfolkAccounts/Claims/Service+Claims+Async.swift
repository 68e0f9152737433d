#if !KINFOLK_BLOCKING
public import KinfolkCore
public import KinfolkModel
/// The blocking calls of the service on claims, for async callers: each waits on a thread of the service. The blocking form
/// documents behaviour, parameters and errors.
extension Service {
    /// Like the blocking form, but waits on a thread of the service.
    public func emailClaims(after last: ClaimID? = nil, limit: Int = 1_000) async throws(KinfolkError) -> [EmailClaim] {
        try await self.async { try self.emailClaims(after: last, limit: limit) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func acknowledgeNotice(of claim: ClaimID) async throws(KinfolkError) -> EmailClaim {
        try await self.async { try self.acknowledgeNotice(of: claim) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func dismissClaim(_ claim: ClaimID) async throws(KinfolkError) -> EmailClaim {
        try await self.async { try self.dismissClaim(claim) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func transferEmail(_ spelling: String, to account: Account) async throws(KinfolkError) {
        try await self.async { try self.transferEmail(spelling, to: account) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func claimWait() async throws(KinfolkError) -> Double {
        try await self.async { try self.claimWait() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setClaimWait(_ seconds: Double) async throws(KinfolkError) {
        try await self.async { try self.setClaimWait(seconds) }
    }
}
#endif
