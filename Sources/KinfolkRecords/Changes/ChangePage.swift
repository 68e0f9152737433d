import KinfolkModel

/// How much of the changes of a zone a page holds: whole changes, as many as fit, and at least one.
struct ChangePage {
    /// The most records and deletions of a page with more than one change.
    static let maximumCount = Database.maximumBatch
    /// The most deletions of one change.
    static let maximumDeletions = 10_000
    /// The last deletions of a zone leave a tombstone. More of them do for 30 days, up to a number that a user cannot exceed.
    static let keptDeletions: Int64 = 10_000
    static let mostDeletions: Int64 = 20_000
    static let keptSeconds = 30 * 86_400.0

    /// The last change of the page; nil if there are no changes.
    let last: Int64?
    /// Whether there are changes after it.
    let moreComing: Bool

    /// - Parameters:
    ///   - records: The changes of the next records and the sizes of these, in order, up to one more than `limit`.
    ///   - deletions: The changes of the next deletions, likewise.
    init(records: [(change: Int64, size: Int)], deletions: [Int64], limit: Int) {
        var (records, deletions) = (records[...], deletions[...])
        let isCut = records.count > limit || deletions.count > limit
        var (count, size, last): (Int, Int, Int64?) = (0, 0, nil)
        while let change = [records.first?.change, deletions.first].compactMap(\.self).min() {
            let saved = records.prefix { $0.change == change }
            let deleted = deletions.prefix { $0 == change }
            count += saved.count + deleted.count
            size += saved.reduce(0) { $0 + $1.size }
            guard last == nil || count <= limit && size <= Database.maximumBatchSize else { break }
            last = change
            (records, deletions) = (records.dropFirst(saved.count), deletions.dropFirst(deleted.count))
        }
        self.last = last
        // A list that was cut off may end within a change. That one is the first, or does not fit.
        moreComing = !records.isEmpty || !deletions.isEmpty || isCut
    }
}
