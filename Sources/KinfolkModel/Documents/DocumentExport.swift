/// What an export of documents has written.
public struct DocumentExport: Sendable, Hashable {
    /// How many skips are listed at most.
    public static let maximumListedSkips = 1_000

    /// How many documents were written: their current versions.
    public package(set) var documents = 0

    /// How many conflicts were written, as further files.
    public package(set) var conflicts = 0

    /// How many bytes were written.
    public package(set) var bytes = 0

    /// How many documents were left out because they are excluded from backups.
    public package(set) var excluded = 0

    /// How many files could not be written.
    public package(set) var skippedCount = 0

    /// The first ``maximumListedSkips`` of them.
    public package(set) var skipped: [DocumentSkip] = []

    package init() {}

    package mutating func skip(_ path: String, _ reason: DocumentSkip.Reason) {
        skippedCount += 1
        if skipped.count < DocumentExport.maximumListedSkips { skipped.append(DocumentSkip(path, reason)) }
    }
}

extension DocumentExport: Redacted {
    /// How many files there are.
    public var description: String {
        "DocumentExport(\(documents) documents, \(conflicts) conflicts, \(excluded + skippedCount) left out)"
    }
}
