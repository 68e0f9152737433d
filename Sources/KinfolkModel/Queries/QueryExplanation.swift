/// How a query is answered.
public struct QueryExplanation: Sendable, Hashable {
    /// An index of a field.
    public struct Index: Sendable, Hashable, CustomStringConvertible {
        /// The name of the field; of a system field that of the property of ``Record``.
        public let field: String
        /// Its kind.
        public let kind: FieldIndexes
        /// Whether the schema declares it, and it is not complete yet: queries use it when it is.
        public let isBeingBuilt: Bool

        package init(_ field: String, _ kind: FieldIndexes, isBeingBuilt: Bool = false) {
            self.field = field
            self.kind = kind
            self.isBeingBuilt = isBeingBuilt
        }

        /// The kind and the field, as in `SORTABLE start` or `SORTABLE start (being built)`.
        public var description: String {
            let kind = kind == .sortable ? "SORTABLE" : kind == .searchable ? "SEARCHABLE" : "QUERYABLE"
            return "\(kind) \(field)\(isBeingBuilt ? " (being built)" : "")"
        }
    }

    /// The indexes that are used.
    public let indexes: [Index]
    /// The indexes that would spare the query from looking at records.
    public let missingIndexes: [Index]
    /// Whether the query fails with ``KinfolkError/Code/limitExceeded``, because it would look at more than 10,000 records.
    public package(set) var exceedsLimit = false
    /// Whether some conditions are evaluated on the records themselves.
    public let evaluatesRecords: Bool
    /// Whether the records are sorted, because no index has their order.
    public let sortsRecords: Bool
    /// How many entries of indexes the page read.
    public let entriesRead: Int
    /// How many records the page opened.
    public let recordsOpened: Int
    /// How many of them did not satisfy the condition.
    public let recordsDiscarded: Int

    package init(
        indexes: [Index],
        missingIndexes: [Index],
        evaluatesRecords: Bool,
        sortsRecords: Bool,
        entriesRead: Int,
        recordsOpened: Int,
        recordsDiscarded: Int
    ) {
        self.indexes = indexes
        self.missingIndexes = missingIndexes
        self.evaluatesRecords = evaluatesRecords
        self.sortsRecords = sortsRecords
        self.entriesRead = entriesRead
        self.recordsOpened = recordsOpened
        self.recordsDiscarded = recordsDiscarded
    }
}
