import Floors
import Glibc
import Kinfolk

/// People who sign up on a PostgreSQL server, from several callers at once. Each row is durable when its call returns.
enum ServerSignInWork {
    private static let callers = [1, 8, 64]

    static func measure(_ setting: Setting) throws -> [Section] {
        let server = try DatabaseServer(setting)
        let stores = try Stores(server, setting)
        defer { stores.remove() }
        let sections = [
            Section(
                title: "PostgreSQL: user record IDs of new accounts, each durable",
                rows: try signIns(.justMade, stores, setting)
            ),
            Section(
                title: "PostgreSQL: user record IDs of known accounts, each durable",
                rows: try signIns(.known, stores, setting)
            ),
            Section(title: "PostgreSQL: account, address and user record ID", rows: try signUps(stores, setting)),
        ]
        try stores.verify()
        return sections
    }

    /// First sessions of existing accounts.
    private static func signIns(_ kind: Newcomers.Kind, _ stores: Stores, _ setting: Setting) throws -> [Row] {
        let all = (rounds(setting) + 1) * callers.map { count(of: $0, setting) }.reduce(0, +)
        let newcomers = try Newcomers(kind, count: all, stores.container.service)
        return try rows(stores, setting) { container, _, callers, count in
            let accounts = newcomers.take(count)
            return try Threads.time(callers) { caller in
                for index in stride(from: caller, to: count, by: callers) {
                    _ = try container.session(for: accounts[index])
                }
            }
        } floor: { connection, _, count, group in
            floor_server_insert_users(connection, count, group)
        }
    }

    /// Sign-ups of new people: three calls each.
    private static func signUps(_ stores: Stores, _ setting: Setting) throws -> [Row] {
        try rows(stores, setting) { container, first, callers, count in
            try Threads.time(callers) { caller in
                for index in stride(from: caller, to: count, by: callers) {
                    let name = PersonName(givenName: "Given", familyName: "Family")
                    let account = try container.service.createAccount(name: name)
                    try account.addEmail("person.\(first + index)@example.com", verified: true)
                    _ = try container.session(for: account)
                }
            }
        } floor: { connection, first, count, group in
            floor_server_sign_up(connection, first, count, group)
        }
    }

    /// Measures in rounds. For each number of callers it measures the product, a floor with one connection for each caller, and a
    /// floor with one connection whose transactions serve all callers. The faster of the two is the floor.
    private static func rows(
        _ stores: Stores,
        _ setting: Setting,
        product: (Container, _ first: Int, _ callers: Int, _ count: Int) throws -> Double,
        floor: @escaping @Sendable (OpaquePointer, _ first: Int, _ count: Int, _ group: Int) -> Void
    ) throws -> [Row] {
        var rates: [Int: (products: [Double], alone: [Double], shared: [Double])] = [:]
        for round in 0...rounds(setting) {
            for callers in callers {
                let count = count(of: callers, setting)
                let ofProduct = try product(stores.container, stores.take(count), callers, count)
                let first = stores.takeForFloor(count)
                let connections = stores.connections
                let ofEach = count / callers
                let alone = try Threads.time(callers) { caller in
                    floor(connections[caller], first + caller * ofEach, ofEach, 1)
                }
                let next = stores.takeForFloor(count)
                let shared = Stopwatch.wall.time { floor(connections[0], next, count, callers) }
                guard round > 0 else { continue }
                rates[callers, default: ([], [], [])].products.append(Double(count) / ofProduct)
                rates[callers]?.alone.append(Double(count) / alone)
                rates[callers]?.shared.append(Double(count) / shared)
            }
        }
        return callers.flatMap { callers -> [Row] in
            guard let rates = rates[callers] else { return [] }
            let goal = Goal.ratioAtLeast(0.85)
            guard callers > 1 else {
                return [Row("one caller", Pair(rates.products, rates.alone), in: .perSecond, goal: goal)]
            }
            let (alone, shared) = (Pair(rates.products, rates.alone), Pair(rates.products, rates.shared))
            let isShared = shared.floor > alone.floor
            return [
                Row("\(callers) callers, a connection each", alone, in: .perSecond, goal: isShared ? nil : goal),
                Row("\(callers) callers, shared commits", shared, in: .perSecond, goal: isShared ? goal : nil),
            ]
        }
    }

    private static func rounds(_ setting: Setting) -> Int { setting.isQuick ? 3 : 20 }

    /// The number of sign-ups in a round, by number of callers.
    private static func count(of callers: Int, _ setting: Setting) -> Int {
        setting.isQuick ? max(16, callers * 2) : max(64, callers * 5)
    }
}

extension ServerSignInWork {
    /// Two stores on one server, one for the product and one for the floor, each in its own schema.
    private final class Stores {
        let container: Container
        private let floorService: Service
        /// The floor's connections, one for each caller.
        let connections: Connections
        private let server: DatabaseServer
        private let schemas = ["product", "floor"].map { "run_\(getpid())_\($0)" }
        /// Larger than the numbers of the imported people.
        private var taken = 10_000_000
        /// The number of users that the floor wrote.
        private var written = 0

        init(_ server: DatabaseServer, _ setting: Setting) throws {
            self.server = server
            let keys = schemas.map { setting.scratch.file($0 + ".key") }
            server.removeRuns()
            let containers = try zip(schemas, keys).map { schema, key in
                try Service.open(server.store(schema), key: .file(key)).createContainer(PeopleStore.container)
            }
            container = containers[0]
            floorService = containers[1].service
            connections = Connections(callers.max() ?? 1) { [schemas] in
                floor_server_open(server.address, schemas[1], keys[1], PeopleStore.container)
            }
        }

        /// Ends the run unless the floor has written as many users as it should, and the product knows the last person.
        func verify() throws {
            guard floor_server_count_rows(connections[0], "users") == written else {
                throw Failure("The floor lost users.")
            }
            let account = try floorService.account(email: EmailAddress(PeopleFile.address(taken - 1)))
            guard try account.name() == PersonName(givenName: "Given", familyName: "Family") else {
                throw Failure("The floor did not write the same people.")
            }
        }

        func remove() {
            connections.close()
            server.removeRuns()
        }

        /// Reserves this many unused numbers of people, and returns the first.
        func take(_ count: Int) -> Int {
            defer { taken += count }
            return taken
        }

        /// The same for the floor.
        func takeForFloor(_ count: Int) -> Int {
            written += count
            return take(count)
        }
    }

    private struct Connections: @unchecked Sendable {
        private let pointers: [OpaquePointer]

        init(_ count: Int, open: () -> OpaquePointer) { pointers = (0..<count).map { _ in open() } }

        subscript(_ caller: Int) -> OpaquePointer { pointers[caller] }

        func close() { for pointer in pointers { floor_server_close(pointer) } }
    }
}
