#if !KINFOLK_BLOCKING
/// The calls of an account that block, for async callers: each waits on a thread of the service's own. What a call does, takes
/// and throws is said at its blocking form.
extension Account {
    /// As the blocking form; it waits on a thread of the service's own.
    public func name() async throws(KinfolkError) -> PersonName {
        try await service.async { try self.name() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setName(_ name: PersonName) async throws(KinfolkError) {
        try await service.async { try self.setName(name) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func isSuspended() async throws(KinfolkError) -> Bool {
        try await service.async { try self.isSuspended() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func suspend() async throws(KinfolkError) {
        try await service.async { try self.suspend() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func resume() async throws(KinfolkError) {
        try await service.async { try self.resume() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func emails() async throws(KinfolkError) -> [AccountEmail] {
        try await service.async { try self.emails() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    @discardableResult
    public func addEmail(
        _ spelling: String,
        verified: Bool = false
    ) async throws(KinfolkError) -> EmailVerification? {
        try await service.async { try self.addEmail(spelling, verified: verified) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func setEmailDiscoverable(_ email: EmailAddress, _ isDiscoverable: Bool) async throws(KinfolkError) {
        try await service.async { try self.setEmailDiscoverable(email, isDiscoverable) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func removeEmail(_ email: EmailAddress) async throws(KinfolkError) {
        try await service.async { try self.removeEmail(email) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func requestVerification(
        of email: EmailAddress,
        for purpose: CodePurpose = .addEmail,
        pass: String? = nil
    ) async throws(KinfolkError) -> VerificationMail? {
        try await service.async { try self.requestVerification(of: email, for: purpose, pass: pass) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func verifyEmail(_ email: EmailAddress, code: String) async throws(KinfolkError) -> EmailVerification {
        try await service.async { try self.verifyEmail(email, code: code) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func confirmSignIn(_ email: EmailAddress, code: String) async throws(KinfolkError) {
        try await service.async { try self.confirmSignIn(email, code: code) }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func claims() async throws(KinfolkError) -> [EmailClaim] {
        try await service.async { try self.claims() }
    }

    /// As the blocking form; it waits on a thread of the service's own.
    public func refuseClaims(on email: EmailAddress, code: String) async throws(KinfolkError) -> [EmailClaim] {
        try await service.async { try self.refuseClaims(on: email, code: code) }
    }
}
#endif
