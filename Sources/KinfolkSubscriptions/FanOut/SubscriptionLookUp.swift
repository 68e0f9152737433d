import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage

/// Finds the subscriptions to a database that have one of several keys: in an index in memory, or in the store.
struct SubscriptionLookUp {
    /// How many subscriptions are looked up at once.
    private static let pageSize = 1_000

    private let index: SubscriptionIndex?
    private let database: RecordPlace
    private let db: Connection

    /// - Parameter index: Nil to look in the store.
    init(index: SubscriptionIndex?, _ database: RecordPlace, _ db: Connection) {
        (self.index, self.database, self.db) = (index, database, db)
    }

    /// The next numbers under any of the keys, in order, each once, and whether there are no more. Keys that have no more are removed.
    func numbers(under keys: inout [Tag], after last: Int64) throws -> (numbers: [Int64], isLast: Bool) {
        let limit = SubscriptionLookUp.pageSize
        var found: [Int64] = []
        found.reserveCapacity(32)
        // The number up to which the numbers of all keys were read.
        var end: Int64?
        func read(_ keys: inout [Tag]) throws {
            found.removeAll(keepingCapacity: true)
            end = nil
            var count = 0
            for key in keys {
                let start = found.count
                if let index {
                    found += index.numbers(under: key, after: last, limit: limit)
                } else {
                    try SubscriptionTable.addNumbers(
                        under: key,
                        after: last,
                        limit: limit,
                        in: database,
                        db,
                        to: &found
                    )
                }
                if found.count > start {
                    keys[count] = key
                    count += 1
                }
                if found.count - start == limit, let read = found.last { end = min(end ?? read, read) }
            }
            keys.removeSubrange(count...)
        }
        if index == nil {
            var asked = keys
            try db.askAhead { try read(&asked) }
        }
        try read(&keys)
        found.sort()
        // Each once, up to there.
        var count = 0
        for number in found where number <= end ?? number && (count == 0 || number != found[count - 1]) {
            if count == limit { return (Array(found[..<limit]), false) }
            found[count] = number
            count += 1
        }
        found.removeSubrange(count...)
        return (found, end == nil)
    }
}
