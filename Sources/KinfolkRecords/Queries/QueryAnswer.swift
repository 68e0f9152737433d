import KinfolkModel

/// The records of a page while they are found: as many as it holds, and one that shows that there are more.
struct QueryAnswer {
    private let limit: Int
    private(set) var records: [QueryFound] = []
    /// How many bytes the records have, without the last one.
    private var sizeBeforeLast = 0

    /// - Parameter limit: The most records of the page.
    init(limit: Int) { self.limit = limit }

    /// How many more records it can take.
    var room: Int { limit + 1 - records.count }

    /// Whether the page ends before the last of the records.
    var isFull: Bool { room <= 0 || sizeBeforeLast >= Database.maximumBatchSize }

    /// The records of the page, and whether there are more.
    var page: (found: [QueryFound], hasMore: Bool) {
        var page = records
        if isFull { page.removeLast() }
        return (page, isFull)
    }

    mutating func append(_ found: QueryFound) {
        sizeBeforeLast += records.last?.row.content.size ?? 0
        records.append(found)
    }
}
