public import KinfolkModel

/// One look-up by the operator of the account behind a user record ID.
public struct AuditEntry: Hashable, Sendable {
    /// The entry's number, from 1 in the order of the look-ups.
    public let number: Int64

    /// The name of the container.
    public let container: String

    /// The ID that was looked up; nil after its account was erased.
    public let userRecordID: UserRecordID?

    /// The reason that the operator gave; nil after the account was erased.
    public let reason: String?

    /// When the look-up was made.
    public let notedAt: Timestamp
}

extension AuditEntry: Redacted {}
