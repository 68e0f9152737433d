#if !KINFOLK_BLOCKING
public import KinfolkContacts
import KinfolkCore
public import KinfolkModel
/// The blocking calls of an account, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Account {
    /// Like the blocking form, but waits on a thread of the service.
    public func name() async throws(KinfolkError) -> PersonName {
        try await service.async { try self.name() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setName(_ name: PersonName) async throws(KinfolkError) {
        try await service.async { try self.setName(name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func isSuspended() async throws(KinfolkError) -> Bool {
        try await service.async { try self.isSuspended() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func suspend() async throws(KinfolkError) {
        try await service.async { try self.suspend() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func resume() async throws(KinfolkError) {
        try await service.async { try self.resume() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func emails() async throws(KinfolkError) -> [AccountEmail] {
        try await service.async { try self.emails() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func addEmail(
        _ spelling: String,
        verified: Bool = false
    ) async throws(KinfolkError) -> EmailVerification? {
        try await service.async { try self.addEmail(spelling, verified: verified) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setEmailDiscoverable(_ email: EmailAddress, _ isDiscoverable: Bool) async throws(KinfolkError) {
        try await service.async { try self.setEmailDiscoverable(email, isDiscoverable) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeEmail(_ email: EmailAddress) async throws(KinfolkError) {
        try await service.async { try self.removeEmail(email) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func requestVerification(
        of email: EmailAddress,
        for purpose: CodePurpose = .addEmail,
        pass: String? = nil
    ) async throws(KinfolkError) -> VerificationMail? {
        try await service.async { try self.requestVerification(of: email, for: purpose, pass: pass) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func verifyEmail(_ email: EmailAddress, code: String) async throws(KinfolkError) -> EmailVerification {
        try await service.async { try self.verifyEmail(email, code: code) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func confirmSignIn(_ email: EmailAddress, code: String) async throws(KinfolkError) {
        try await service.async { try self.confirmSignIn(email, code: code) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func claims() async throws(KinfolkError) -> [EmailClaim] {
        try await service.async { try self.claims() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func refuseClaims(on email: EmailAddress, code: String) async throws(KinfolkError) -> [EmailClaim] {
        try await service.async { try self.refuseClaims(on: email, code: code) }
    }
}
#endif
