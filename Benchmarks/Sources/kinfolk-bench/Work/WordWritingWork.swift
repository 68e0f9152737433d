import Kinfolk

/// Records with ten words that are saved and deleted. The floor is the product with the same words in a QUERYABLE list, whose index has a
/// row for each word of each record.
enum WordWritingWork {
    private static let batch = 200

    static func measure(_ setting: Setting) throws -> [Section] {
        try SearchStore.sizes(setting).map { size in
            let store = try SearchStore.ready(size, in: setting.stores)
            let copy = try store.store.copy(named: "words-\(size)", in: setting.scratch)
            defer {
                copy.remove()
                copy.folder.remove()
            }
            let work = Work(try copy.database(), store)
            return Section(
                title: "Records of ten words among \(Unit.grouped(size)); floor: a QUERYABLE list of them",
                rows: try work.rows(setting)
            )
        }
    }

    /// The field that has the words.
    private enum Field {
        case text
        case words
    }

    private final class Work {
        private let database: Database
        private let store: SearchStore
        private var random = RandomNumbers()
        private var last: Int
        private var saved: [Field: [RecordID]] = [:]

        init(_ database: Database, _ store: SearchStore) {
            self.database = database
            self.store = store
            last = store.count
        }

        func rows(_ setting: Setting) throws -> [Row] {
            let (runs, single) = setting.isQuick ? (9, 20) : (25, 50)
            let saving = try Pair(.wall, runs: runs, repeats: single) { _ in
                try save(.text)
            } floor: { _ in
                try save(.words)
            }
            let deleting = try Pair(.wall, runs: runs, repeats: single) { _ in
                try delete(.text)
            } floor: { _ in
                try delete(.words)
            }
            let batches = try Pair(.wall, runs: runs) { _ in
                try saveBatch(.text)
            } floor: { _ in
                try saveBatch(.words)
            }
            let deletedBatches = try Pair(.wall, runs: runs) { _ in
                try deleteBatch(.text)
            } floor: { _ in
                try deleteBatch(.words)
            }
            let goal = Goal.ratioAtMost(1.2)
            return [
                Row("saved, new, durable", saving, in: .microseconds, goal: goal),
                Row("deleted, durable", deleting, in: .microseconds, goal: goal),
                Row("batch of 200 new, per record", batches.divided(by: batch), in: .microseconds, goal: goal),
                Row(
                    "batch of 200 deleted, per record",
                    deletedBatches.divided(by: batch),
                    in: .microseconds,
                    goal: goal
                ),
            ]
        }

        private func save(_ field: Field) throws {
            let record = try newRecord(field)
            _ = try database.save(record)
            saved[field, default: []].append(record.id)
        }

        private func delete(_ field: Field) throws { try database.delete(take(1, field)[0]) }

        private func saveBatch(_ field: Field) throws {
            let records = try (0..<batch).map { _ in try newRecord(field) }
            for outcome in try database.run(records.map { .create($0) }) { _ = try outcome.get() }
            saved[field, default: []] += records.map(\.id)
        }

        private func deleteBatch(_ field: Field) throws {
            for outcome in try database.run(take(batch, field).map { .forceDelete($0) }) { _ = try outcome.get() }
        }

        /// The IDs of records that were saved first, which are not deleted yet.
        private func take(_ count: Int, _ field: Field) throws -> [RecordID] {
            guard let ids = saved[field], ids.count >= count else { throw Failure("Records were lost.") }
            saved[field]?.removeFirst(count)
            return Array(ids.prefix(count))
        }

        private func newRecord(_ field: Field) throws -> Record {
            var record = try Record(type: SearchStore.type, id: RecordStore.id(last))
            last += 1
            let words = newWords()
            switch field {
            case .text: try record.set("text", to: .string(words.joined(separator: " ")))
            case .words: try record.set("words", to: .stringList(words))
            }
            try record.set("lines", to: .stringList([String(repeating: "Buy flour and eggs. ", count: 14)]))
            return record
        }

        /// Two words that many records have, and eight that few have.
        private func newWords() -> [String] {
            let rare = random.next(below: SearchStore.vocabulary)
            let few = SearchStore.Pair(random.next(below: store.pairCount)).few
            let many = SearchStore.Pair(random.next(below: store.pairCount)).many
            return [few, many]
                + (0..<8).map { SearchStore.word("v", (rare + $0 * 1_237) % SearchStore.vocabulary) }
        }
    }
}
