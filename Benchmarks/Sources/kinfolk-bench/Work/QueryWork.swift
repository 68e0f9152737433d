import Floors
import Kinfolk

/// Queries of a private database with records of 8 fields and 400 bytes, answered by indexes.
enum QueryWork {
    /// How many records a query in the order of a field returns.
    private static let sorted = 50

    static func measure(_ setting: Setting) throws -> [Section] {
        let sizes = setting.isQuick ? [100_000] : [100_000, 1_000_000]
        let works = try sizes.map { try Work($0, setting) }
        var sections = try works.map { work in
            Section(title: "Queries among \(Unit.grouped(work.size))", rows: try work.rows(setting))
        }
        if let small = works.first, let large = works.last, small.size < large.size {
            sections.append(Section(title: "Queries, growth", rows: try growth(small, large, setting)))
        }
        return sections
    }

    /// One query of the product and of the floor, which find the same number of records.
    private struct Question: Sendable {
        let name: String
        let goal: Double
        let repeats: Int
        let product: @Sendable (Work, Int) throws -> Int
        let floor: @Sendable (Work, Int) -> Int
    }

    private static let questions: [Question] = [
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

    /// The factor by which queries take longer among many records, compared with the floor's factor.
    private static func growth(_ small: Work, _ large: Work, _ setting: Setting) throws -> [Row] {
        try questions.map { question in
            func pair(_ work: @escaping (Work) throws -> Void) throws -> Pair {
                try Pair(.processor, runs: setting.runs, repeats: question.repeats) { _ in
                    try work(large)
                } floor: { _ in
                    try work(small)
                }
            }
            let product = try pair { _ = try question.product($0, $0.next()) }
            let floor = try pair { _ = question.floor($0, $0.next()) }
            return Row(
                name: "\(question.name), 10^5 to 10^6",
                value: product.ratio,
                unit: .times,
                floor: floor.ratio,
                ratio: product.ratio / floor.ratio,
                goal: .ratioAtMost(1.15)
            )
        }
    }

    /// A store that the product and the floor only read.
    private final class Work {
        let size: Int
        let floor: FloorRecords
        private let database: Database
        private var random: UInt64 = 42

        init(_ size: Int, _ setting: Setting) throws {
            self.size = size
            let store = try RecordStore.ready(size, isSorted: true, in: setting.stores)
            database = try store.database()
            floor = try store.floor()
        }

        func rows(_ setting: Setting) throws -> [Row] {
            try questions.map { question in
                for _ in 0..<10 {
                    let number = next()
                    guard try question.product(self, number) == question.floor(self, number) else {
                        throw Failure("The product and the floor find different records: \(question.name).")
                    }
                }
                let pair = try Pair(.processor, runs: setting.runs, repeats: question.repeats) { _ in
                    _ = try question.product(self, next())
                } floor: { _ in
                    _ = question.floor(self, next())
                }
                return Row(question.name, pair, in: .microseconds, goal: .ratioAtMost(question.goal))
            }
        }

        /// The number of a random record.
        func next() -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % size
        }

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
