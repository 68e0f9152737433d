import Floors
import Kinfolk

/// Contact books on one thread and on two: how much faster two threads are, compared with the floor.
enum TwoThreadsWork {
    private static let size = 1_000_000
    private static let booksOfThread = 8
    private static let repeats = 24

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let rows = try setting.configurations.map { try measure(store, $0, setting) }
        return [Section(title: "1,000 contacts, two threads", rows: rows)]
    }

    private static func measure(_ store: PeopleStore, _ configuration: Configuration, _ setting: Setting) throws -> Row
    {
        let account = try store.account()
        let session = try store.session(of: configuration)
        let floors = Floors(store, configuration)
        let books = try (0..<2 * booksOfThread).map { try Book(BookText.make($0, of: size), session) }
        @Sendable func book(_ thread: Int, _ turn: Int) -> Book {
            books[thread * booksOfThread + turn % booksOfThread]
        }
        func product(_ threads: Int) throws -> Double {
            try Threads.time(threads) { thread in
                for turn in 0..<repeats { try book(thread, turn).discoverAgain(session) }
            }
        }
        func floor(_ threads: Int) throws -> Double {
            try Threads.time(threads) { thread in
                for turn in 0..<repeats { try book(thread, turn).match(floors.of(thread), of: account) }
            }
        }
        // Each round measures all four, one after the other. The first round warms up.
        let rounds = try (0...setting.longRuns).map { _ in
            (
                product: 2 * (try product(1)) / (try product(2)),
                floor: 2 * (try floor(1)) / (try floor(2))
            )
        }.dropFirst()
        return Row(
            name: "\(configuration.name), speed-up",
            value: median(rounds.map(\.product)),
            unit: .times,
            floor: median(rounds.map(\.floor)),
            ratio: median(rounds.map { $0.product / $0.floor }),
            goal: .ratioAtLeast(0.95)
        )
    }

    /// One connection for each thread.
    private final class Floors: @unchecked Sendable {
        private let stores: [OpaquePointer]

        init(_ store: PeopleStore, _ configuration: Configuration) {
            stores = (0..<2).map { _ in store.floor(cacheKiB: configuration.cacheKiB) }
        }

        deinit { for store in stores { floor_store_close(store) } }

        func of(_ thread: Int) -> OpaquePointer { stores[thread] }
    }
}
