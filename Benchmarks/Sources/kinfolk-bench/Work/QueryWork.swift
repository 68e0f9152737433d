import Floors
import Kinfolk

/// Queries of a private database with records of 8 fields and 400 bytes, answered by indexes.
enum QueryWork {
    /// How many records a query in the order of a field returns.
    private static let sorted = 50

    static func measure(_ setting: Setting) throws -> [Section] {
        let sizes = setting.isQuick ? [100_000] : [100_000, 1_000_000]
        return try Question.sections("Queries", questions, sizes.map { try Work($0, setting) }, setting)
    }

    private static let questions: [Question<Work>] = [
        Question(name: "equality, 20 records", goal: 1.4, repeats: 200) { work, number in
            try work.find("group = %@", "group", of: number)
        } floor: { work, number in
            work.floor.equal(.group, as: number)
        },
        Question(name: "two equalities", goal: 1.5, repeats: 100) { work, number in
            try work.find("team = %@ AND kind = %@", "team", "kind", of: number)
        } floor: { work, number in
            work.floor.equal(.team, .kind, as: number)
        },
        Question(name: "order, the first 50", goal: 1.4, repeats: 100) { work, _ in
            try work.firstSorted()
        } floor: { work, _ in
            work.floor.sorted(from: 0, limit: sorted)
        },
        Question(name: "order, 50 from a random place", goal: 1.4, repeats: 100) { work, number in
            try work.sorted(from: RecordStore.order(number))
        } floor: { work, number in
            work.floor.sorted(from: RecordStore.order(number), limit: sorted)
        },
        Question(name: "count, one hundredth of the records", goal: 1.3, repeats: 20) { work, number in
            try work.count("kind", of: number)
        } floor: { work, number in
            work.floor.count(.kind, as: number)
        },
    ]

    /// A store that the product and the floor only read.
    private final class Work: QuestionedStore {
        let size: Int
        let floor: FloorRecords
        private let database: Database
        private var random = RandomNumbers()

        init(_ size: Int, _ setting: Setting) throws {
            self.size = size
            let store = try RecordStore.ready(size, isSorted: true, in: setting.stores)
            database = try store.database()
            floor = try store.floor()
        }

        func next() -> Int { random.next(below: size) }

        func find(_ text: String, _ fields: String..., of number: Int) throws -> Int {
            let predicate = try QueryPredicate(text, arguments: values(fields, of: number))
            return try database.query(Query(RecordStore.type, where: predicate)).records.count
        }

        func firstSorted() throws -> Int {
            let query = try Query(RecordStore.type, sortedBy: [.ascending("order")])
            return try database.query(query, limit: QueryWork.sorted).records.count
        }

        func sorted(from order: Int64) throws -> Int {
            let predicate = try QueryPredicate("order >= %@", .int64(order))
            let query = try Query(RecordStore.type, where: predicate, sortedBy: [.ascending("order")])
            return try database.query(query, limit: QueryWork.sorted).records.count
        }

        func count(_ field: String, of number: Int) throws -> Int {
            let predicate = try QueryPredicate("\(field) = %@", arguments: values([field], of: number))
            return try database.count(Query(RecordStore.type, where: predicate))
        }

        private func values(_ fields: [String], of number: Int) throws -> [FieldValue] {
            let record = try RecordStore.record(number)
            return fields.compactMap { record[$0] }
        }
    }
}
