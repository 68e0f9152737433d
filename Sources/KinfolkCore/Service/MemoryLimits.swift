/// How much memory an open store may use for speed. It has no effect on results.
///
/// ```swift
/// _ = try Service.open("kinfolk.db", memory: MemoryLimits(pageCache: 64 << 20))
/// ```
public struct MemoryLimits: Sendable, Hashable {
    /// Bytes of the store that each of its connections caches: one connection for writing, and one for each concurrent reader.
    ///
    /// A write by another connection empties the cache, so a larger one helps when there are many reads and few writes.
    public var pageCache: Int

    /// Bytes for the filters of all containers, which answer for most contacts of a book without reading the store. A filter
    /// takes about 1.5 bytes a person. A container whose filter would not fit has no filter. 0 for no filters at all.
    public var directoryFilters: Int

    /// Negative numbers count as 0.
    public init(pageCache: Int = 2 << 20, directoryFilters: Int = 64 << 20) {
        self.pageCache = max(pageCache, 0)
        self.directoryFilters = max(directoryFilters, 0)
    }

    /// 2 MiB a connection, and at most 64 MiB for filters, which is enough for 40 million people.
    public static let standard = MemoryLimits()
}
