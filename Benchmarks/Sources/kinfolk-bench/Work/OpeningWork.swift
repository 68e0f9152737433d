import Floors
import Kinfolk

/// A store that nobody has open, as a program finds it when it starts.
enum OpeningWork {
    private static let size = 1_000_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let opening = try Pair(.processor, runs: setting.runs) { _ in
            _ = try Configuration.plain.open(store.path)
        } floor: { _ in
            floor_store_close(store.floor(cacheKiB: 0))
        }
        let row = Row("\(Unit.grouped(size)) people", opening, in: .milliseconds, goal: .atMost(5))
        return [Section(title: "Open a store", rows: [row])]
    }
}
