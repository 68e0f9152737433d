/// Some of the records that satisfy a query.
public struct QueryPage: Sendable, Hashable {
    /// The records, in the order of the query.
    public let records: [Record]

    /// Where the next page begins; nil on the last page.
    public let cursor: QueryCursor?

    package init(records: [Record], cursor: QueryCursor?) {
        self.records = records
        self.cursor = cursor
    }
}

extension QueryPage: Redacted {
    /// How many records there are.
    public var description: String { "QueryPage(\(records.count) records)" }
}
