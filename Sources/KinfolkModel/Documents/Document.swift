/// A named file of one user in one container, as it was when it was read.
///
/// It is a value: the contents are read and saved with the documents of a session.
///
/// It remembers on which version it is based: the one that was current when it was read, or the one that was saved last with it. So a save
/// never replaces a version that the caller has not seen.
public struct Document: Sendable {
    /// The ID of the document, which stays the same when it is moved and saved.
    public let id: String

    /// The path: names with `/` between them. The last one is the document's own, the others are those of its folders.
    public let path: String

    /// The current version.
    public let current: DocumentVersion

    /// Versions that were saved by others who did not know the current one, the oldest first. They stay until they are resolved.
    public let conflicts: [DocumentVersion]

    /// The versions before the current one that are kept, the newest first.
    public let olderVersions: [DocumentVersion]

    /// When the document was created.
    public let createdAt: Timestamp

    /// When it was last saved, moved or changed in another way.
    public let modifiedAt: Timestamp

    /// Whether it is left out of backups and exports.
    public let isExcludedFromBackup: Bool

    /// The record from which it was made.
    package let changeTag: String?
    /// The ID of the version on which it is based: a save replaces this one.
    package private(set) var base: String

    package init(
        id: String,
        path: String,
        versions: (current: DocumentVersion, conflicts: [DocumentVersion], older: [DocumentVersion]),
        createdAt: Timestamp,
        modifiedAt: Timestamp,
        isExcludedFromBackup: Bool,
        changeTag: String?
    ) {
        (self.id, self.path) = (id, path)
        (current, conflicts, olderVersions) = (versions.current, versions.conflicts, versions.older)
        (self.createdAt, self.modifiedAt) = (createdAt, modifiedAt)
        self.isExcludedFromBackup = isExcludedFromBackup
        self.changeTag = changeTag
        base = versions.current.id
    }

    /// The same document, based on another version.
    package func based(on version: String) -> Document {
        var document = self
        document.base = version
        return document
    }

    /// The name of the document: the last part of its path.
    public var name: String {
        path.utf8.lastIndex(of: DocumentPath.slash).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The path of its folder; empty if it is in none.
    public var folder: String { path.utf8.lastIndex(of: DocumentPath.slash).map { String(path[..<$0]) } ?? "" }

    /// All versions: the current one, the conflicts, and the older ones.
    public var versions: [DocumentVersion] { [current] + conflicts + olderVersions }
}

/// Documents are equal if they are the same document in the same state.
extension Document: Hashable {
    public static func == (left: Document, right: Document) -> Bool {
        left.id == right.id && left.changeTag == right.changeTag
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Document: Redacted {
    /// How many versions there are.
    public var description: String { "Document(\(versions.count) versions)" }
}
