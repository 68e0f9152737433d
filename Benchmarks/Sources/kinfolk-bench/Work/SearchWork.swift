import Floors
import Kinfolk

/// Searches for words and for places in a private database with records of 400 bytes.
enum SearchWork {
    private static let metres = 10_000

    static func measureWords(_ setting: Setting) throws -> [Section] {
        try Question.sections("Words", words, stores(setting), setting) + WordWritingWork.measure(setting)
    }

    static func measureDistance(_ setting: Setting) throws -> [Section] {
        try Question.sections("Distance", distance, stores(setting), setting)
    }

    private static func stores(_ setting: Setting) throws -> [Work] {
        try SearchStore.sizes(setting).map { try Work($0, setting) }
    }

    private static let words: [Question<Work>] = [
        Question(name: "two words, 200 records counted", goal: 2, repeats: 20) { work, number in
            try work.database.count(work.query(work.pair(number)))
        } floor: { work, number in
            work.floor.count(work.pair(number))
        },
        Question(name: "two words, 200 records returned", goal: 1.4, repeats: 10) { work, number in
            try work.find(work.query(work.pair(number)))
        } floor: { work, number in
            work.floor.open(work.pair(number))
        },
    ]

    private static let distance: [Question<Work>] = [
        Question(name: "within 10 km, 300 records returned", goal: 1.3, repeats: 10) { work, number in
            let centre = try work.store.centre(number)
            let predicate = try QueryPredicate(
                "distanceToLocation:fromLocation:(home, %@) < \(metres)",
                .location(centre)
            )
            return try work.find(Query(SearchStore.type, where: predicate))
        } floor: { work, number in
            work.floor.open(within: Double(metres), of: try work.store.centre(number))
        }
    ]

    /// A store that the product and the floor only read.
    private final class Work: QuestionedStore {
        let store: SearchStore
        let database: Database
        let floor: FloorSearches
        var size: Int { store.count }
        private var random = RandomNumbers()

        init(_ size: Int, _ setting: Setting) throws {
            store = try SearchStore.ready(size, in: setting.stores)
            database = try store.store.database()
            floor = try store.floor()
        }

        func next() -> Int { random.next(below: size) }

        func pair(_ number: Int) -> SearchStore.Pair { SearchStore.Pair(number % store.pairCount) }

        func query(_ pair: SearchStore.Pair) throws -> Query {
            try Query(SearchStore.type, where: QueryPredicate("self CONTAINS %@", .string("\(pair.few) \(pair.many)")))
        }

        /// How many records a query returns.
        func find(_ query: Query) throws -> Int {
            try database.query(query, limit: Database.maximumBatch).records.count
        }
    }
}
