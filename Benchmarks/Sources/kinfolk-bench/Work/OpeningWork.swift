import Floors
import Kinfolk

/// Opening a store that no other process has open, as at the start of a program.
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
