import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Numbers and writes notifications, in the transaction that deletes the changes of which they tell.
struct NotificationWriting {
    private let container: Int64
    private let db: Connection

    init(in container: Int64, _ db: Connection) { (self.container, self.db) = (container, db) }

    func write(_ matches: [SubscriptionMatch]) throws {
        let users = Array(Set(matches.map(\.row.subscriber)))
        // All that is read comes before the first change.
        let counts = try NotificationCountTable.counts(for: users, in: container, db)
        var lasts = counts.mapValues(\.last)
        var told: Set<Told> = []
        for match in matches {
            // A device that is told once of a zone or of a database looks for all changes there.
            if match.content.kind != .query, !told.insert(Told(match)).inserted { continue }
            let number = (lasts[match.row.subscriber] ?? 0) + 1
            lasts[match.row.subscriber] = number
            try NotificationTable.insert(
                match.content,
                number: number,
                of: match.row.number,
                for: match.row.subscriber,
                in: match.database,
                db
            )
            if match.isOnce { try SubscriptionTable.delete(match.row.number, in: container, db) }
        }
        for (user, last) in lasts {
            var forgotten = counts[user]?.forgotten ?? 0
            if last - NotificationTable.limit > forgotten {
                forgotten = last - NotificationTable.limit
                try NotificationTable.delete(through: forgotten, for: user, in: container, db)
            }
            let count = NotificationCountTable.Count(last: last, forgotten: forgotten)
            try NotificationCountTable.set(count, for: user, in: container, db)
        }
        try db.signal()
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
