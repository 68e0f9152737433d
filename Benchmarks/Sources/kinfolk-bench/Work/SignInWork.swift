import Floors
import Kinfolk

/// First sessions. Each makes a user record ID, which is on disk when the call returns.
enum SignInWork {
    private static let callers = [1, 16, 64]

    static func measure(_ setting: Setting) throws -> [Section] {
        [
            Section(title: "User record IDs of new accounts, each durable", rows: try measure(.justMade, setting)),
            Section(title: "User record IDs of known accounts, each durable", rows: try measure(.known, setting)),
        ]
    }

    private static func measure(_ kind: Newcomers.Kind, _ setting: Setting) throws -> [Row] {
        let rounds = setting.isQuick ? 8 : 30
        let service = try Service.open(setting.scratch.file("sign-in-\(kind).db"))
        let container = try service.createContainer("com.example.bench")
        let newcomers = try Newcomers(kind, count: (rounds + 1) * callers.map(signIns).reduce(0, +), service)
        let floor = floor_users_create(setting.scratch.file("users-\(kind).db"))
        defer { floor_store_close(floor) }

        var (products, floors): ([Int: [Double]], [Int: [Double]]) = ([:], [:])
        for round in 0...rounds {
            for callers in callers {
                let count = signIns(of: callers)
                let accounts = newcomers.take(count)
                let ofProduct = try Threads.time(callers) { caller in
                    for index in stride(from: caller, to: count, by: callers) {
                        _ = try container.session(for: accounts[index])
                    }
                }
                // One commit for as many users as there are callers, but at most 16.
                let ofFloor = Stopwatch.wall.time { floor_insert_users(floor, count, min(callers, 16)) }
                guard round > 0 else { continue }
                products[callers, default: []].append(Double(count) / ofProduct)
                floors[callers, default: []].append(Double(count) / ofFloor)
            }
        }
        guard floor_count_rows(floor, "users") == (rounds + 1) * callers.map(signIns).reduce(0, +) else {
            throw Failure("The floor lost users.")
        }
        return rows(products, floors)
    }

    /// The number of sign-ins in a round, by number of callers.
    private static func signIns(of callers: Int) -> Int { callers == 1 ? 60 : max(160, callers * 5) }

    private static func rows(_ products: [Int: [Double]], _ floors: [Int: [Double]]) -> [Row] {
        func rate(_ callers: Int) -> Pair { Pair(products[callers] ?? [], floors[callers] ?? []) }
        func gain(_ callers: Int) -> Pair {
            Pair(
                zip(products[callers] ?? [], products[1] ?? []).map { $0 / $1 },
                zip(floors[callers] ?? [], floors[1] ?? []).map { $0 / $1 }
            )
        }
        return [
            Row("one caller", rate(1), in: .perSecond, goal: .ratioAtLeast(0.85)),
            Row("16 callers", rate(16), in: .perSecond),
            Row("16 callers over one", gain(16), in: .times, goal: .atLeast(3.5)),
            Row("64 callers", rate(64), in: .perSecond),
            Row("64 callers over one", gain(64), in: .times, goal: .atLeast(5)),
        ]
    }
}
