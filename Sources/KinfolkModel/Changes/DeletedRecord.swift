/// A record that was deleted.
public struct DeletedRecord: Hashable, Sendable {
    /// The ID that the record had.
    public let id: RecordID

    /// The record type that the record had.
    public let type: String

    package init(id: RecordID, type: String) {
        self.id = id
        self.type = type
    }
}

extension DeletedRecord: Redacted {}
