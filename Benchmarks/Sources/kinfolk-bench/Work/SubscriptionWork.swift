import Floors
import Glibc
import Kinfolk

/// Saves while there are many subscriptions, and how soon notifications are received in another process.
enum SubscriptionWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        let store = SubscribedStore(
            address: setting.scratch.file("subscribed.db"),
            key: setting.scratch.file("subscribed.key")
        )
        try store.make()
        return [
            Section(
                title: "Subscriptions",
                rows: try SubscriptionMatchingWork.rows(setting) + saving(setting) + many(setting)
            ),
            Section(title: "Notifications in another process", rows: try receiving(store, setting)),
        ]
    }

    static func measureOnServer(_ setting: Setting) throws -> [Section] {
        let server = try DatabaseServer(setting)
        let store = SubscribedStore(
            address: server.store("run_\(getpid())_subscribed"),
            key: setting.scratch.file("subscribed-server.key")
        )
        server.removeRuns()
        defer { server.removeRuns() }
        try store.make()
        return [
            Section(title: "PostgreSQL: notifications in another process", rows: try receiving(store, setting))
        ]
    }

    // MARK: Saves

    private static let subscriptions = 1_000_000

    /// A public database in a store of its own.
    private static func database(_ name: String, _ setting: Setting) throws -> (path: String, database: Database) {
        let path = setting.scratch.file(name)
        let service = try Service.open(path)
        let container = try service.createContainer(PeopleStore.container)
        try RecordStore.declareFields(in: container)
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        return (path, try container.session(for: account).publicDatabase)
    }

    private static func saving(_ setting: Setting) throws -> [Row] {
        let (subscribed, alone) = (
            try database("subscriptions.db", setting), try database("no-subscriptions.db", setting)
        )
        floor_subscriptions_fill(subscribed.path, 1, subscriptions)
        var number = 0
        func save(_ database: Database) throws {
            number += 1
            _ = try database.save(RecordStore.record(number))
        }
        let pair = try Pair(.wall, runs: setting.isQuick ? 15 : 35, repeats: 50) { _ in
            try save(subscribed.database)
        } floor: { _ in
            try save(alone.database)
        }
        return [
            Row(
                "saved among \(Unit.grouped(subscriptions)), none matching; floor: without any",
                pair,
                in: .microseconds,
                goal: .ratioAtMost(1.1)
            )
        ]
    }

    // MARK: Many matches

    private static let users = 10
    private static let matches = 10_000

    /// One save that concerns many subscriptions: until all their users are notified, and how long other saves take meanwhile.
    private static func many(_ setting: Setting) throws -> [Row] {
        let (_, database) = try database("matches.db", setting)
        let container = database.session.container
        let counter = Counter()
        var observations: [StoreObservation] = []
        for _ in 0..<users {
            let account = try container.service.createAccount(name: PersonName(givenName: "Ben", familyName: "Example"))
            let session = try container.session(for: account)
            for number in 0..<matches / users {
                try session.publicDatabase.save(
                    Subscription(
                        query: Query(RecordStore.type, where: QueryKey("order") == .int64(1_000_000_000)),
                        options: .firesOnRecordCreation,
                        id: "\(number)"
                    )
                )
            }
            observations.append(try session.onNotification { _ in counter.add() })
        }
        var number = 0
        func save(order: Int64) throws -> Double {
            number += 1
            var record = try RecordStore.record(number)
            try record.set("order", to: .int64(order))
            return try Stopwatch.wall.time { _ = try database.save(record) }
        }
        let before = try (0..<200).map { _ in try save(order: 0) }
        usleep(500_000)
        let start = Stopwatch.wall.now
        _ = try save(order: 1_000_000_000)
        var meanwhile: [Double] = []
        while counter.value < matches, Stopwatch.wall.now - start < 60 { meanwhile.append(try save(order: 0)) }
        let seconds = Stopwatch.wall.now - start
        guard counter.value == matches else { throw Failure("Only \(counter.value) were notified.") }
        withExtendedLifetime(observations) {}
        return [
            Row(
                name: "\(Unit.grouped(matches)) matching subscriptions notified",
                value: seconds,
                unit: .seconds,
                goal: .atMost(5)
            ),
            Row("saved meanwhile; floor: before", Pair(pad(meanwhile), pad(before)), in: .microseconds),
        ]
    }

    /// The same number of times, sorted, for a comparison of medians.
    private static func pad(_ times: [Double]) -> [Double] { [median(times)] }

    private final class Counter: @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var count = 0

        init() { pthread_mutex_init(lock, nil) }

        var value: Int {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return count
        }

        func add() -> Bool {
            pthread_mutex_lock(lock)
            count += 1
            pthread_mutex_unlock(lock)
            return true
        }
    }

    // MARK: Receiving

    private static func receiving(_ store: SubscribedStore, _ setting: Setting) throws -> [Row] {
        let one = try receive(setting.isQuick ? 50 : 200, by: 1, gap: 50_000, store, setting)
        let thousand = try receive(setting.isQuick ? 15 : 50, by: 1_000, gap: 400_000, store, setting)
        return [
            Row(
                name: "written to received, one watch",
                value: median(one.times) * 1e3,
                unit: .milliseconds,
                goal: .atMost(10)
            ),
            Row(
                name: "written to received by the last of 1,000 watches",
                value: median(thousand.times) * 1e3,
                unit: .milliseconds,
                goal: .atMost(40)
            ),
            Row(
                name: "processor time of 1,000 idle watches, in a second",
                value: thousand.idle * 1e3,
                unit: .milliseconds,
                goal: .atMost(10)
            ),
        ]
    }

    /// - Returns: For each save the seconds until the last session had received its notification, and the processor time of an idle second.
    private static func receive(
        _ count: Int,
        by sessions: Int,
        gap: UInt32,
        _ store: SubscribedStore,
        _ setting: Setting
    ) throws -> (times: [Double], idle: Double) {
        let start = setting.scratch.file("receive-\(sessions)-\(getpid())-\(store.address.hashValue)")
        let child = try RunningCommand([
            CommandLine.arguments[0], "--child", "receive", store.address, store.key, "\(count)", "\(sessions)", start,
        ])
        while access(start, F_OK) != 0 { usleep(1_000) }
        let database = try store.session().privateDatabase
        var begins: [Double] = []
        for number in 0..<count {
            begins.append(Stopwatch.wall.now)
            _ = try database.save(RecordStore.record(number, as: RecordID(zone: SubscribedStore.zone)))
            usleep(gap)
        }
        let lines = try child.output().split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard lines.count == count + 1 else { throw Failure("Some notifications were not received one by one.") }
        return (zip(lines.dropFirst(), begins).map { $0 - $1 }, lines[0])
    }
}
