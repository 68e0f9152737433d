import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

/// The indexes that a service keeps in memory. One is made when so many keys were looked up in the store, since its subscriptions
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

    private static let firstReading = 320
    /// How many keys are read in the time of one look-up.
    private static let keysOfLookUp = 4
    /// The most databases with something in memory, and the most keys of all of them.
    private static let databaseLimit = 100
    private static let keyLimit = 5 * SubscriptionIndex.limit

    private let kept = Lock<[Home: Kept]>([:])

    /// The index of a database whose subscriptions have this stamp; nil if the store is to be asked.
    ///
    /// - Parameter count: How many keys are looked up now.
    func index(of database: RecordPlace, stamp: Int64, forKeys count: Int, _ db: Connection) throws
        -> SubscriptionIndex?
    {
        let home = Home(container: database.container, owner: database.owner)
        let (index, limit): (SubscriptionIndex?, Int?) = kept.withLock { kept in
            if kept[home]?.stamp != stamp {
                if kept.count >= SubscriptionIndexes.databaseLimit { kept = [:] }
                kept[home] = Kept(stamp: stamp)
            }
            guard var known = kept[home] else { return (nil, nil) }
            if let index = known.index { return (index, nil) }
            known.lookUps += count
            let isDue = known.lookUps >= known.nextReading
            let limit = min(SubscriptionIndex.limit, known.lookUps * SubscriptionIndexes.keysOfLookUp)
            // One that has more than the most keys is not read again.
            if isDue { known.nextReading = limit < SubscriptionIndex.limit ? 2 * known.lookUps : .max }
            kept[home] = known
            return (nil, isDue ? limit : nil)
        }
        if let index { return index }
        guard let limit, let keys = try SubscriptionTable.keys(in: database, limit: limit, db) else { return nil }
        let new = SubscriptionIndex(keys, stamp: stamp)
        kept.withLock { kept in
            guard kept[home]?.stamp == stamp else { return }
            let size = kept.values.reduce(new.count) { $0 + ($1.index?.count ?? 0) }
            if size > SubscriptionIndexes.keyLimit { kept = [home: Kept(stamp: stamp)] }
            kept[home]?.index = new
        }
        return new
    }
}
