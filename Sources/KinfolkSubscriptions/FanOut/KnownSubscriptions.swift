import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

/// Subscriptions that a service has opened, with their conditions: to read a predicate takes longer than to test it.
final class KnownSubscriptions: Sendable {
    struct Known: Sendable {
        let row: SubscriptionRow
        /// Nil for a zone and a database subscription, and if the record type lost a field of the predicate.
        let condition: RecordCondition?
    }

    private struct Kept: Sendable {
        let sealed: [UInt8]
        /// The stamp of the schema.
        let schema: Int64
        let known: Known
    }

    private struct Key: Hashable {
        let container, number: Int64
    }

    private static let limit = 10_000
    private let kept = Lock<[Key: Kept]>([:])

    /// The subscription with this number; nil if it was deleted, or edited without the key.
    func subscription(_ number: Int64, in database: RecordPlace, _ schema: ContainerSchema, _ db: Connection) throws
        -> Known?
    {
        guard let (subscriber, sealed) = try SubscriptionTable.sealed(number, in: database.container, db) else {
            return nil
        }
        let key = Key(container: database.container, number: number)
        if let kept = kept.withLock({ $0[key] }), kept.schema == schema.stamp, kept.sealed == sealed {
            return kept.known
        }
        let row: SubscriptionRow
        do { row = try SubscriptionRow(sealed, number: number, subscriber: subscriber, in: database) } catch let error
            where KinfolkError(error).code == .storeCorrupt
        {
            return nil
        }
        let condition = row.subscription.query.flatMap { query in
            schema.types[query.recordType].flatMap { try? RecordCondition(query.predicate, of: $0) }
        }
        let known = Known(row: row, condition: condition)
        kept.withLock { kept in
            if kept.count >= KnownSubscriptions.limit { kept = [:] }
            kept[key] = Kept(sealed: sealed, schema: schema.stamp, known: known)
        }
        return known
    }
}
