import Floors
@_spi(Measuring) import Kinfolk

/// Saved records that are matched against subscriptions to a value of a field: the keys are made, and the subscriptions looked up.
enum SubscriptionMatchingWork {
    private static let fields = ["author", "room", "topic", "rank"]
    private static let values = 12_500
    /// Two for each value of each field.
    private static var subscriptions: Int { 2 * fields.count * values }
    /// As many changes as a transaction reads.
    private static let batch = 200

    static func rows(_ setting: Setting) throws -> [Row] {
        let (path, database) = try database(setting)
        let all = try SubscriptionCandidates(of: database, inMemory: true)
        let typeOnly = Set(try all.keys(of: record(nil)))
        let keys = try (0..<values).flatMap { value in
            try all.keys(of: record(value)).filter { !typeOnly.contains($0) }
        }
        floor_subscriptions_add(path, 1, keys.flatMap(\.self), keys.count)
        guard
            let floor = floor_subscriptions_make(
                setting.scratch.file("matching-floor.db"),
                Int32(fields.count),
                Int64(values)
            )
        else { throw Failure("The floor could not be made.") }
        defer { floor_subscriptions_free(floor) }
        let title = "record matched with \(Unit.grouped(subscriptions)) subscriptions"
        return [
            try row(title + ", in memory", 2, try SubscriptionCandidates(of: database, inMemory: true), setting) {
                floor_subscriptions_in_memory(floor, $0, batch)
            },
            try row("– in the store", 1.5, try SubscriptionCandidates(of: database, inMemory: false), setting) {
                floor_subscriptions_in_store(floor, $0, batch)
            },
        ]
    }

    private static func row(
        _ name: String,
        _ goal: Double,
        _ candidates: SubscriptionCandidates,
        _ setting: Setting,
        floor: ([Int64]) -> Int
    ) throws -> Row {
        var random = RandomNumbers()
        var (numbers, records): ([Int64], [Record]) = ([], [])
        func check(_ count: Int) throws {
            guard count == 2 * fields.count * batch else { throw Failure("\(count) subscriptions were found.") }
        }
        let pair = try Pair(.processor, runs: setting.isQuick ? 25 : 100, repeats: 5) { _ in
            numbers = (0..<batch).map { _ in Int64(random.next(below: values)) }
            records = try numbers.map { try record(Int($0)) }
        } product: { _ in
            try check(candidates.count(for: records))
        } floor: { _ in
            try check(floor(numbers))
        }
        return Row(name, pair.divided(by: batch), in: .microseconds, goal: .ratioAtMost(goal))
    }

    /// A record with the same value in each field.
    private static func record(_ value: Int?) throws -> Record {
        var record = try Record(type: "Message")
        if let value { for field in fields { try record.set(field, to: .int64(Int64(value))) } }
        return record
    }

    private static func database(_ setting: Setting) throws -> (path: String, database: Database) {
        let path = setting.scratch.file("matching.db")
        let container = try Service.open(path).createContainer(PeopleStore.container)
        for field in fields { try container.addField(field, type: .int64, to: "Message") }
        let account = try container.service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        return (path, try container.session(for: account).publicDatabase)
    }
}
