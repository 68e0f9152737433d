/// The changes of a user's documents after a server change token: a page of them.
public struct DocumentChanges: Sendable {
    /// The documents that were created, saved, moved or changed in another way, as they are now, in the order of their last changes.
    public let documents: [Document]

    /// The IDs of the documents that were deleted, in the order of their deletions.
    public let deleted: [String]

    /// The position after these changes. Keep it for the next call.
    public let token: ServerChangeToken

    /// Whether there are more changes now.
    public let moreComing: Bool

    /// The documents that changed, and then those that were deleted.
    package var changes: [DocumentChange] {
        documents.map { DocumentChange(.changed, documentID: $0.id, $0) }
            + deleted.map { DocumentChange(.deleted, documentID: $0) }
    }

    package init(documents: [Document], deleted: [String], token: ServerChangeToken, moreComing: Bool) {
        (self.documents, self.deleted, self.token, self.moreComing) = (documents, deleted, token, moreComing)
    }
}

extension DocumentChanges: Redacted {
    /// How many changes there are.
    public var description: String { "DocumentChanges(\(documents.count) documents, \(deleted.count) deleted)" }
}
