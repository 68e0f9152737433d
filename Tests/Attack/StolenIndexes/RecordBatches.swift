import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkRecords

/// Saves many records for an experiment, and finds them again in the stolen store to score its guesses.
enum RecordBatches {
    /// Saves a record of each item, as many at once as a batch has.
    static func save<Item>(_ items: [Item], in database: Database, _ record: (Item) throws -> Record) throws -> [Record]
    {
        var saved: [Record] = []
        for start in stride(from: 0, to: items.count, by: Database.maximumBatch) {
            let records = try items[start..<min(start + Database.maximumBatch, items.count)].map(record)
            for result in try database.run(records.map(RecordOperation.create)) { _ = try result.get() }
            saved += records
        }
        return saved
    }

    /// The internal numbers of records of one database, which need the key.
    static func numbers(
        of records: [Record],
        owner: UserRecordID? = nil,
        in store: AttackedStore,
        _ indexes: StolenIndexes
    ) throws -> [Int64] {
        let keys = try store.service.read { db in try store.service.keys(ofContainer: store.container.number, in: db) }
        let tags = RecordTags(keys.recordTags[0], owner: owner?.value.bytes ?? [])
        return try records.map { record in
            guard let number = indexes.numbers[tags.name(record.id.name, zone: 0)] else {
                throw ExperimentFailure("a record is not in the store")
            }
            return number
        }
    }
}
