import Floors
import Kinfolk

/// A contact book of 1,000 addresses as text, with the directory on a PostgreSQL server. The server is another process, so all
/// figures are wall-clock times.
enum ServerContactsWork {
    private static let bookCount = 16

    static func measure(_ setting: Setting) throws -> [Section] {
        let size = setting.isQuick ? 100_000 : 1_000_000
        let server = try DatabaseServer(setting)
        let store = try ServerPeopleStore(size, server, setting)
        let rows = try [Configuration.plain, .standard].flatMap { try measure(store, size, $0, setting) }
        return [Section(title: "PostgreSQL: 1,000 contacts, \(Unit.grouped(size)) people", rows: rows)]
    }

    private static func measure(
        _ store: ServerPeopleStore,
        _ size: Int,
        _ configuration: Configuration,
        _ setting: Setting
    ) throws -> [Row] {
        let (session, account) = try store.session(of: configuration)
        let floor = store.floor()
        defer { floor_server_close(floor) }
        let books = try (0..<bookCount).map { try Book(BookText.make($0, of: size), session) }
        for book in books { try book.verify(session, floor, of: account, by: floor_server_match) }
        func book(_ run: Int) -> Book { books[run % bookCount] }

        let again = try Pair(.wall, runs: setting.isQuick ? 48 : 320) { run in
            try book(run).discoverAgain(session)
        } floor: { run in
            try book(run).match(floor, of: account, by: floor_server_match)
        }
        let first = try Pair(.wall, runs: setting.isQuick ? 16 : 96) { run in
            try book(run).discoverFirst(session)
        } floor: { run in
            try book(run).match(floor, of: account, isFirst: true, by: floor_server_match)
            floor_server_count_permits(floor)
        }
        return [
            Row(configuration.name, again, in: .milliseconds, goal: .ratioAtMost(1.25)),
            Row("\(configuration.name), first sync", first, in: .milliseconds),
        ]
    }
}
