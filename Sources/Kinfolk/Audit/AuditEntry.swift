/// One use of the operator's look-up of whose a user record ID is.
public struct AuditEntry: Hashable, Sendable {
    /// The entry's number, from 1 in the order of the look-ups.
    public let number: Int64

    /// The name of the container.
    public let container: String

    /// The ID that was looked up; nil once its account was erased.
    public let userRecordID: UserRecordID?

    /// Why, as the operator said; nil once the account was erased.
    public let reason: String?

    /// When the look-up was made.
    public let notedAt: Timestamp
}

extension AuditEntry: Redacted {}
