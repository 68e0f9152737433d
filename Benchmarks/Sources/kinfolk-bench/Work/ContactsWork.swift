import Floors
import Kinfolk

/// A contact book of 1,000 addresses as text. This work runs for every user, every day.
enum ContactsWork {
    /// The number of different books that are searched by turns: too many for any cache to hold all that they read.
    private static let bookCount = 16

    static func measure(_ setting: Setting) throws -> [Section] {
        let sizes = setting.isQuick ? [10_000, 100_000, 1_000_000] : [100_000, 1_000_000, 10_000_000]
        return try setting.configurations.map { configuration in
            var rows: [Row] = []
            for size in sizes { rows += try measure(size, configuration, setting) }
            rows.append(try growth(to: sizes[sizes.count - 1], configuration, setting))
            return Section(title: "1,000 contacts, \(configuration.name)", rows: rows)
        }
    }

    private static func measure(_ size: Int, _ configuration: Configuration, _ setting: Setting) throws -> [Row] {
        let search = try DirectorySearch(size, books: bookCount, configuration, setting)
        let again = try Pair(.processor, runs: setting.isQuick ? 48 : 160) { run in
            try search.product(run)
        } floor: { run in
            try search.floor(run)
        }
        // Always the same book: the caches hold what the last search read.
        let same = try Pair(.processor, runs: setting.runs) { _ in
            try search.product(0)
        } floor: { _ in
            try search.floor(0)
        }
        let first = try Pair(.wall, runs: setting.isQuick ? 16 : 48) { run in
            try search.productForTheFirstTime(run)
        } floor: { run in
            try search.floorForTheFirstTime(run)
        }
        let name = "\(Unit.grouped(size)) people"
        let goal = size >= 1_000_000 ? Goal.ratioAtMost(configuration.matchingGoal(size)) : nil
        return [
            Row(name, again, in: .milliseconds, goal: goal),
            Row("\(name), same book", same, in: .milliseconds, goal: goal),
            Row("\(name), first sync", first, in: .milliseconds),
        ]
    }

    /// The factor by which a contact takes longer with many people than with 100,000, compared with the floor's factor. Both
    /// sizes are measured by turns.
    private static func growth(to size: Int, _ configuration: Configuration, _ setting: Setting) throws -> Row {
        let small = try DirectorySearch(100_000, books: bookCount, configuration, setting)
        let large = try DirectorySearch(size, books: bookCount, configuration, setting)
        let runs = setting.isQuick ? 32 : 96
        let product = try Pair(.processor, runs: runs) { run in
            try large.product(run)
        } floor: { run in
            try small.product(run)
        }
        let floor = try Pair(.processor, runs: runs) { run in
            try large.floor(run)
        } floor: { run in
            try small.floor(run)
        }
        return Row(
            name: "growth, 10^5 to 10^\(String(size).count - 1) people",
            value: product.ratio,
            unit: .times,
            floor: floor.ratio,
            ratio: product.ratio / floor.ratio,
            // The goal is for a hundred times as many people.
            goal: size == 10_000_000 ? .atMost(configuration.growthGoal) : nil
        )
    }
}
