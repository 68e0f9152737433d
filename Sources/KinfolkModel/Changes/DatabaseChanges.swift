/// The zones of a database that changed after a server change token: a page of them.
public struct DatabaseChanges: Sendable {
    /// The custom zones that were created, or in which records changed, in the order of their last changes.
    public let changed: [RecordZone]

    /// The custom zones that were deleted and not made again, in the order of their deletions.
    public let deleted: [RecordZone]

    /// The position after these changes. Keep it for the next call.
    public let token: ServerChangeToken

    /// Whether there are more changes now.
    public let moreComing: Bool

    package init(changed: [RecordZone], deleted: [RecordZone], token: ServerChangeToken, moreComing: Bool) {
        self.changed = changed
        self.deleted = deleted
        self.token = token
        self.moreComing = moreComing
    }
}

extension DatabaseChanges: Redacted {
    /// How many zones there are.
    public var description: String { "DatabaseChanges(\(changed.count) changed, \(deleted.count) deleted)" }
}
