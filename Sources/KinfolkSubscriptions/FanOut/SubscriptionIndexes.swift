import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

/// The indexes that a service keeps in memory. One is made when so many changes were looked up in the store, since its subscriptions
/// changed last, that reading all keys costs no more than that.
final class SubscriptionIndexes: Sendable {
    private struct Home: Hashable {
        let container: Int64
        let owner: [UInt8]
    }

    private struct Kept {
        let stamp: Int64
        var index: SubscriptionIndex?
        var lookUps = 0
        /// After how many of these the keys are read, if there are few enough.
        var nextReading = SubscriptionIndexes.firstReading
    }

    private static let firstReading = 64
    /// How many keys are read in the time of one look-up.
    private static let keysOfLookUp = 20
    /// The most databases with something in memory.
    private static let databaseLimit = 100

    private let kept = Lock<[Home: Kept]>([:])

    /// The index of a database whose subscriptions have this stamp; nil if the store is to be asked.
    func index(of database: RecordPlace, stamp: Int64, _ db: Connection) throws -> SubscriptionIndex? {
        let home = Home(container: database.container, owner: database.owner)
        let (index, count): (SubscriptionIndex?, Int?) = kept.withLock { kept in
            if kept[home]?.stamp != stamp {
                if kept.count >= SubscriptionIndexes.databaseLimit { kept = [:] }
                kept[home] = Kept(stamp: stamp)
            }
            guard var known = kept[home] else { return (nil, nil) }
            if let index = known.index { return (index, nil) }
            known.lookUps += 1
            let isDue = known.lookUps == known.nextReading
            let count = min(SubscriptionIndex.limit, known.lookUps * SubscriptionIndexes.keysOfLookUp)
            if isDue, known.lookUps * SubscriptionIndexes.keysOfLookUp <= 2 * SubscriptionIndex.limit {
                known.nextReading *= 2
            }
            kept[home] = known
            return (nil, isDue ? count : nil)
        }
        if let index { return index }
        guard let count, let keys = try SubscriptionTable.keys(in: database, limit: count, db) else { return nil }
        let new = SubscriptionIndex(keys, stamp: stamp)
        kept.withLock { kept in if kept[home]?.stamp == stamp { kept[home]?.index = new } }
        return new
    }
}
