import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

/// Subscriptions that a service has opened, with their conditions: to read a predicate takes longer than to test it.
final class KnownSubscriptions: Sendable {
    final class Known: Sendable {
        let row: SubscriptionRow
        /// Nil for a zone and a database subscription, and if the record type lost a field of the predicate.
        let condition: RecordCondition?

        init(_ row: SubscriptionRow, _ condition: RecordCondition?) { (self.row, self.condition) = (row, condition) }
    }

    private struct Kept: Sendable {
        let sealed: [UInt8]
        /// The stamp of the schema, and the last stamp of the database's subscriptions with which it was seen.
        let schema: Int64
        var stamp: Int64
        let known: Known
    }

    private struct Key: Hashable {
        let container, number: Int64
        /// Of the database: in an edited store, a key of another database may lead to a subscription.
        let owner: [UInt8]
    }

    /// The most bytes, as they are sealed.
    private static let limit = 16_000_000
    private let state = Lock(State())

    private struct State {
        var kept: [Key: Kept] = [:]
        var size = 0
    }

    /// Whether a subscription is known as it is.
    func hasSeen(_ number: Int64, in database: RecordPlace, stamp: Int64) -> Bool {
        let key = Key(container: database.container, number: number, owner: database.owner)
        return state.withLock { $0.kept[key]?.stamp == stamp }
    }

    /// The subscription with this number; nil if it was deleted, or edited without the key.
    ///
    /// While the stamp is the same, nobody has changed it. Its user may have been erased, or it may have fired for the only time. So the
    /// transaction that writes its notification looks it up again.
    ///
    /// - Parameter stamp: That of the database's subscriptions.
    func subscription(
        _ number: Int64,
        in database: RecordPlace,
        stamp: Int64,
        _ schema: ContainerSchema,
        _ db: Connection
    ) throws -> Known? {
        let key = Key(container: database.container, number: number, owner: database.owner)
        let kept = state.withLock { $0.kept[key] }
        if let kept, kept.schema == schema.stamp, kept.stamp == stamp { return kept.known }
        guard let (subscriber, sealed) = try SubscriptionTable.sealed(number, in: database.container, db) else {
            return nil
        }
        if let kept, kept.schema == schema.stamp, kept.sealed == sealed {
            state.withLock { $0.kept[key]?.stamp = stamp }
            return kept.known
        }
        let row: SubscriptionRow
        do { row = try SubscriptionRow(sealed, number: number, subscriber: subscriber, in: database) } catch let error
            where KnownSubscriptions.isUnreadable(error)
        {
            return nil
        }
        let condition = row.subscription.query.flatMap { query in
            schema.types[query.recordType].flatMap { try? RecordCondition(query.predicate, of: $0) }
        }
        let known = Known(row, condition)
        state.withLock { state in
            let added = sealed.count - (state.kept[key]?.sealed.count ?? 0)
            if state.size + added > KnownSubscriptions.limit { state = State() }
            state.kept[key] = Kept(sealed: sealed, schema: schema.stamp, stamp: stamp, known: known)
            state.size = state.kept.count == 1 ? sealed.count : state.size + added
        }
        return known
    }

    /// Whether a subscription was edited without the key, or was saved by a newer version with a predicate that this one cannot read.
    static func isUnreadable(_ error: any Error) -> Bool {
        [.storeCorrupt, .invalidArgument, .limitExceeded].contains(KinfolkError(error).code)
    }
}
