import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Numbers and writes notifications, in the transaction that deletes the changes of which they tell.
struct NotificationWriting {
    private let container: Int64
    private let keys: ContainerKeys
    private let db: Connection

    init(in container: Int64, _ keys: ContainerKeys, _ db: Connection) {
        (self.container, self.keys, self.db) = (container, keys, db)
    }

    func write(_ matches: [SubscriptionMatch]) throws {
        let users = Array(Set(matches.map(\.row.subscriber)))
        // All that is read comes before the first change.
        let counts = try NotificationCountTable.counts(for: users, in: container, db)
        let once = try matches.filter(\.isOnce).reduce(into: [Int64: Bool]()) { once, match in
            once[match.row.number] = try isSame(match)
        }
        var lasts = counts.mapValues(\.last)
        var told: Set<Told> = []
        var toldOnce: Set<Int64> = []
        for match in matches {
            // The counts of a user who has a device exist until the user is erased. Those that were edited may have no next number.
            guard let last = lasts[match.row.subscriber], last < Int64.max else { continue }
            if match.isOnce, once[match.row.number] == nil || !toldOnce.insert(match.row.number).inserted { continue }
            // A device that is told once of a zone or of a database looks for all changes there.
            if match.content.kind != .query, !told.insert(Told(match)).inserted { continue }
            let number = last + 1
            lasts[match.row.subscriber] = number
            try NotificationTable.insert(
                match.content,
                number: number,
                of: match.row.number,
                for: match.row.subscriber,
                in: database(of: match),
                db
            )
        }
        let ended = matches.filter { toldOnce.contains($0.row.number) && once[$0.row.number] == true }
        for number in Set(ended.map(\.row.number)) { try SubscriptionTable.delete(number, in: container, db) }
        // No service uses the keys that it has in memory.
        for owner in Set(ended.map(\.database.owner)) {
            try OutboxTable.noteReaders(of: RecordPlace(ofOwner: owner, in: container, keys), db)
        }
        for (user, last) in lasts {
            var forgotten = counts[user]?.forgotten ?? 0
            // A damaged number could be so small that the difference overflows.
            if last > NotificationTable.limit, last - NotificationTable.limit > forgotten {
                forgotten = last - NotificationTable.limit
                try NotificationTable.delete(through: forgotten, for: user, in: container, db)
            }
            let count = NotificationCountTable.Count(last: last, forgotten: forgotten)
            try NotificationCountTable.update(count, for: user, in: container, db)
        }
        try db.signal()
    }

    private func database(of match: SubscriptionMatch) -> RecordPlace {
        RecordPlace(ofPrivate: match.database.home.owner, in: container, keys)
    }

    /// Whether a subscription is still the one that matched; nil if it is gone. A user may have replaced it by another one with the same ID.
    private func isSame(_ match: SubscriptionMatch) throws -> Bool? {
        guard let (subscriber, sealed) = try SubscriptionTable.sealed(match.row.number, in: container, db) else {
            return nil
        }
        do {
            let row = try SubscriptionRow(
                sealed,
                number: match.row.number,
                subscriber: subscriber,
                in: database(of: match)
            )
            return row.subscription == match.row.subscription
        } catch let error where KnownSubscriptions.isUnreadable(error) {
            return false
        }
    }

    private struct Told: Hashable {
        let subscription: Int64
        let zone: String?
        let origin: RandomID?

        init(_ match: SubscriptionMatch) {
            (subscription, zone, origin) = (match.row.number, match.content.zoneName, match.content.origin)
        }
    }
}
