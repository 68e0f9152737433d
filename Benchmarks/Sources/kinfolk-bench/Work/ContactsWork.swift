import Floors
import Kinfolk

/// A contact book of 1,000 addresses as text: the work that runs for every user, every day.
enum ContactsWork {
    /// So many different books are searched in turn that no cache holds what all of them read.
    private static let bookCount = 16

    static func measure(_ setting: Setting) throws -> [Section] {
        let sizes = setting.isQuick ? [10_000, 100_000, 1_000_000] : [100_000, 1_000_000, 10_000_000]
        return try Configuration.all.map { configuration in
            var times: [Int: Double] = [:]
            var rows: [Row] = []
            for size in sizes {
                let (again, same, first) = try measure(size, configuration, setting)
                let name = "\(Unit.grouped(size)) people"
                let goal = size >= 1_000_000 ? Goal.ratioAtMost(configuration.matchingGoal(size)) : nil
                times[size] = again.product
                rows.append(Row(name, again, in: .milliseconds, goal: goal))
                rows.append(Row("\(name), same book", same, in: .milliseconds, goal: goal))
                rows.append(Row("\(name), first sync", first, in: .milliseconds))
            }
            rows += growth(times, configuration)
            return Section(title: "1,000 contacts, \(configuration.name)", rows: rows)
        }
    }

    private static func measure(
        _ size: Int,
        _ configuration: Configuration,
        _ setting: Setting
    ) throws -> (again: Pair, same: Pair, first: Pair) {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let account = try store.account()
        let session = try store.session(of: configuration)
        let floor = store.floor(cacheKiB: configuration.cacheKiB)
        defer { floor_store_close(floor) }
        let books = try (0..<bookCount).map { try Book(BookText.make($0, of: size), session) }
        for book in books { try book.verify(session, floor, of: account) }
        let again = try Pair(runs: setting.isQuick ? 48 : 160) { run in
            try books[run % bookCount].discoverAgain(session)
        } floor: { run in
            try books[run % bookCount].match(floor, of: account)
        }
        // One person alone: the caches hold what the last search read.
        let same = try Pair(runs: setting.runs) { _ in
            try books[0].discoverAgain(session)
        } floor: { _ in
            try books[0].match(floor, of: account)
        }
        let first = try Pair(runs: setting.isQuick ? 16 : 48) { run in
            try books[run % bookCount].discoverFirst(session)
        } floor: { run in
            try books[run % bookCount].match(floor, of: account, isFirst: true)
            floor_count_permits(floor)
        }
        return (again, same, first)
    }

    private static func growth(_ times: [Int: Double], _ configuration: Configuration) -> [Row] {
        guard let small = times[100_000], let size = times.keys.max(), let large = times[size] else { return [] }
        // The goal is for a hundred times as many people.
        let goal = size == 10_000_000 ? Goal.atMost(configuration.growthGoal) : nil
        let name = "growth, 10^5 to 10^\(String(size).count - 1) people"
        return [Row(name: name, value: large / small, unit: .times, goal: goal)]
    }
}
