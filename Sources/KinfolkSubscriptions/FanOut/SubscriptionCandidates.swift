import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
public import KinfolkRecords
import KinfolkStorage

/// How changes of records find the subscriptions that they may concern. For benchmarks only: `@_spi(Measuring) import Kinfolk`.
@_spi(Measuring) public struct SubscriptionCandidates {
    private let service: Service
    private let place: RecordPlace
    private let schema: ContainerSchema
    private let index: SubscriptionIndex?

    /// - Parameter inMemory: Whether to look in an index in memory, and not in the store.
    public init(of database: Database, inMemory: Bool) throws(KinfolkError) {
        let (service, container) = (database.session.container.service, database.session.container.number)
        let user = database.scope == .private ? database.session.recordID : nil
        self.service = service
        (place, schema, index) = try service.read { db in
            let keys = try service.keys(ofContainer: container, in: db)
            let place = RecordPlace(ofPrivate: user, in: container, keys)
            let all = inMemory ? try SubscriptionTable.keys(in: place, limit: SubscriptionIndex.limit, db) : nil
            let index = all.map { SubscriptionIndex($0, stamp: 0) }
            return (place, try service.schemas.schema(of: container, service, db), index)
        }
    }

    /// The keys of a record: a subscription with one of them may concern it.
    public func keys(of record: Record) -> [[UInt8]] {
        tags(of: record).map { tag in tag.withUnsafeBytes { Array($0) } }
    }

    /// How many subscriptions are found for the records, in one transaction.
    public func count(for records: [Record]) throws(KinfolkError) -> Int {
        try service.read { db in
            let lookUp = SubscriptionLookUp(index: index, place, db)
            return try records.reduce(0) { count, record in
                var tags = tags(of: record)
                return try count + lookUp.numbers(under: &tags, after: 0).numbers.count
            }
        }
    }

    private func tags(of record: Record) -> [Tag] {
        guard let type = schema.types[record.type] else { return [] }
        return SubscriptionKeys.keys(of: record.fields, type, place.tags[0])
    }
}
