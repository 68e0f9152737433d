/// The changes of a zone after a server change token: a page of them.
///
/// A record that changed several times is here once, as it is now. The changes of one batch are never split between pages.
public struct RecordZoneChanges: Sendable {
    /// The records that were created or changed, in the order of their last changes.
    public let records: [Record]

    /// The records that were deleted, in the order of their deletions. Deletions from before the first call without a token are left
    /// out: the caller has never seen these records.
    public let deleted: [DeletedRecord]

    /// The position after these changes. Keep it for the next call.
    public let token: ServerChangeToken

    /// Whether there are more changes now.
    public let moreComing: Bool

    package init(records: [Record], deleted: [DeletedRecord], token: ServerChangeToken, moreComing: Bool) {
        self.records = records
        self.deleted = deleted
        self.token = token
        self.moreComing = moreComing
    }
}

extension RecordZoneChanges: Redacted {
    /// How many changes there are.
    public var description: String { "RecordZoneChanges(\(records.count) records, \(deleted.count) deleted)" }
}
