/// A named file of one user in one container, as it was when it was read.
///
/// It is a value: the contents are read and saved with the documents of a session.
public struct Document: Sendable, Hashable {
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
    /// The device that changed it last.
    package let changedBy: [UInt8]

    package init(
        id: String,
        path: String,
        versions: (current: DocumentVersion, conflicts: [DocumentVersion], older: [DocumentVersion]),
        createdAt: Timestamp,
        modifiedAt: Timestamp,
        isExcludedFromBackup: Bool,
        changeTag: String?,
        changedBy: [UInt8]
    ) {
        (self.id, self.path) = (id, path)
        (current, conflicts, olderVersions) = (versions.current, versions.conflicts, versions.older)
        (self.createdAt, self.modifiedAt) = (createdAt, modifiedAt)
        self.isExcludedFromBackup = isExcludedFromBackup
        (self.changeTag, self.changedBy) = (changeTag, changedBy)
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

extension Document: Redacted {
    /// How many versions there are.
    public var description: String { "Document(\(versions.count) versions)" }
}
