/// A change of a document by another device.
public struct DocumentChange: Sendable, Hashable {
    /// What happened.
    public enum Kind: Int32, Sendable, Hashable, CaseIterable {
        /// The document was created, saved, moved or changed in another way. Its conflicts are in it.
        case changed = 1
        /// The document was deleted.
        case deleted = 2
        /// The store was restored, or the changes were too many: list the documents again.
        case missed = 3
    }

    /// What happened.
    public let kind: Kind

    /// The ID of the document; empty if changes were missed.
    public let documentID: String

    /// The document as it is now; nil if it was deleted.
    public let document: Document?

    package init(_ kind: Kind, documentID: String = "", _ document: Document? = nil) {
        (self.kind, self.documentID, self.document) = (kind, documentID, document)
    }
}

extension DocumentChange: Redacted {
    /// The kind.
    public var description: String { "DocumentChange(\(kind))" }
}
