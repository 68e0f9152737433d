/// The prepared statements of a connection whose SQL was composed at run time. Their number is limited: the most recently used ones
/// are kept.
struct ComposedStatements {
    /// Enough for a copy of a store, which uses about ten statements for each table.
    static let limit = 500

    private struct Entry {
        let statement: any Statement
        var lastUse: UInt64
    }

    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    var count: Int { entries.count }

    var all: some Sequence<any Statement> { entries.values.lazy.map(\.statement) }

    /// The statement with this SQL. If there is none, `prepare` makes it, and the least recently used statement is evicted if there
    /// are too many. A caller that still uses the evicted statement keeps it alive.
    mutating func statement(_ sql: String, prepare: (String) throws -> any Statement) rethrows -> any Statement {
        uses += 1
        if let known = entries[sql]?.statement {
            entries[sql]?.lastUse = uses
            return known
        }
        let new = try prepare(sql)
        if entries.count == ComposedStatements.limit,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
        }
        entries[sql] = Entry(statement: new, lastUse: uses)
        return new
    }

    mutating func removeAll() { entries = [:] }
}
