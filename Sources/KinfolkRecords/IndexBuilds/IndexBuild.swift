/// How far the indexes of a record type are built.
public struct IndexBuild: Sendable, Hashable {
    /// The name of the record type.
    public let recordType: String
    /// How many of its records have been indexed.
    public let done: Int
    /// How many records it had when the build began. Records that are saved meanwhile are indexed as they are saved.
    public let total: Int

    package init(recordType: String, done: Int, total: Int) {
        (self.recordType, self.done, self.total) = (recordType, done, total)
    }
}
