/// What an import of files as documents has done.
public struct DocumentImport: Sendable, Hashable {
    /// How many skips are listed at most.
    public static let maximumListedSkips = 1_000

    /// How many documents were created.
    public package(set) var created = 0

    /// How many documents have a new version, conflicts included.
    public package(set) var saved = 0

    /// How many of the new versions became conflicts, because another device saved the document at the same time.
    public package(set) var conflicts = 0

    /// How many files were left as they are, because the current version of their document has the same bytes.
    public package(set) var unchanged = 0

    /// How many bytes were saved.
    public package(set) var bytes = 0

    /// How many files or folders could not become documents.
    public package(set) var skippedCount = 0

    /// The first ``maximumListedSkips`` of them.
    public package(set) var skipped: [DocumentSkip] = []

    package init() {}

    package mutating func skip(_ path: String, _ reason: DocumentSkip.Reason) {
        skippedCount += 1
        if skipped.count < DocumentImport.maximumListedSkips { skipped.append(DocumentSkip(path, reason)) }
    }
}

extension DocumentImport: Redacted {
    /// How many files there are.
    public var description: String {
        "DocumentImport(\(created) created, \(saved) saved, \(unchanged) unchanged, \(skippedCount) left out)"
    }
}
