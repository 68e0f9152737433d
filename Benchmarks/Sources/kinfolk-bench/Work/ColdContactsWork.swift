import Floors
import Kinfolk

/// The contact book when nothing of the store is in the operating system's page cache, like with a directory larger than
/// memory. Each run has a book that no earlier run has read.
enum ColdContactsWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        let size = setting.isQuick ? 1_000_000 : 10_000_000
        return try setting.configurations.map { configuration in
            let row = Row(
                "\(Unit.grouped(size)) people",
                try measure(size, configuration, setting),
                in: .milliseconds,
                goal: setting.isQuick ? nil : .ratioAtMost(configuration.coldGoal)
            )
            return Section(title: "1,000 contacts, cold, \(configuration.name)", rows: [row])
        }
    }

    private static func measure(_ size: Int, _ configuration: Configuration, _ setting: Setting) throws -> Pair {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let account = try store.account()
        let runs = setting.longRuns
        let books = try prepareBooks(runs + 1, store)
        let session = try store.session(of: configuration)
        let floor = store.floor(cacheKiB: configuration.cacheKiB)
        defer { floor_store_close(floor) }
        return try Pair(.wall, runs: runs, prepare: { _ in store.dropPageCache() }) { run in
            try books[run].discoverAgain(session)
        } floor: { run in
            try books[run].match(floor, of: account)
        }
    }

    /// Makes the books' sync states in another service, so that the measured services have read nothing of them.
    private static func prepareBooks(_ count: Int, _ store: PeopleStore) throws -> [Book] {
        let session = try store.session(of: .plain)
        return try (0..<count).map { try Book(BookText.make(1_000 + $0, of: store.count), session) }
    }
}
