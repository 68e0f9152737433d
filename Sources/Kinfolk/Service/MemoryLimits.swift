/// How much memory an open store may take to be fast. None of it changes an answer.
public struct MemoryLimits: Sendable, Hashable {
    /// Bytes of the store that each of its connections keeps: one for writing, and one for each reader at the same time.
    ///
    /// What another connection writes empties it, so that more of it helps where reads are many and writes few.
    public var pageCache: Int

    /// Bytes for the filters of all containers, which answer for most contacts of a book without a look at the store: about
    /// 1.5 bytes a person. A container whose filter would not fit has none. 0 for none at all.
    public var directoryFilters: Int

    /// Negative numbers count as 0.
    public init(pageCache: Int = 2 << 20, directoryFilters: Int = 64 << 20) {
        self.pageCache = max(pageCache, 0)
        self.directoryFilters = max(directoryFilters, 0)
    }

    /// 2 MiB a connection, and at most 64 MiB for filters, which is enough for 40 million people.
    public static let standard = MemoryLimits()
}
