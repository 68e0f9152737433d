import Glibc
import Kinfolk

/// Six users who save records in zones of their own, while two other processes save records in one zone of another user. The floor
/// is the same while those two save records in zones of two users.
enum OneZoneWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        let store = OneZoneStore(
            address: setting.scratch.file("one-zone.db"),
            key: setting.scratch.file("one-zone.key")
        )
        try store.make()
        return [Section(title: "Six writers beside two processes", rows: [try row(store, setting)])]
    }

    static func measureOnServer(_ setting: Setting) throws -> [Section] {
        let server = try DatabaseServer(setting)
        let store = OneZoneStore(
            address: server.store("run_\(getpid())_zone"),
            key: setting.scratch.file("one-zone.key")
        )
        server.removeRuns()
        defer { server.removeRuns() }
        try store.make()
        return [Section(title: "PostgreSQL: six writers beside two processes", rows: [try row(store, setting)])]
    }

    private static func row(_ store: OneZoneStore, _ setting: Setting) throws -> Row {
        let databases = try store.databases()
        let (first, second) = (OneZoneStore.writers, OneZoneStore.writers + 1)
        var (together, apart): ([Double], [Double]) = ([], [])
        for round in 0...(setting.isQuick ? 5 : 15) {
            let one = try time(store, databases, besides: [first, first], "one-\(round)", setting)
            let two = try time(store, databases, besides: [first, second], "two-\(round)", setting)
            guard round > 0 else { continue }
            together.append(one)
            apart.append(two)
        }
        let pair = Pair(together, apart).divided(by: OneZoneStore.writers * saves(setting))
        return Row("saved while two write to one zone", pair, in: .microseconds, goal: .ratioAtMost(1.1))
    }

    private static func saves(_ setting: Setting) -> Int { setting.isQuick ? 50 : 200 }

    /// The seconds that the writers take while there is a process for each of the other users.
    private static func time(
        _ store: OneZoneStore,
        _ databases: [Database],
        besides users: [Int],
        _ name: String,
        _ setting: Setting
    ) throws -> Double {
        let end = setting.scratch.file("\(name)-end")
        let starts = users.indices.map { setting.scratch.file("\(name)-start-\($0)") }
        let others = try zip(users, starts).map { user, start in
            try RunningCommand(
                [CommandLine.arguments[0], "--child", "write-zone", store.address, store.key, "\(user)", start, end]
            )
        }
        var isEnded = false
        func stop() throws { if !isEnded { isEnded = true; _ = try File(end) } }
        defer { try? stop() }
        for start in starts { while access(start, F_OK) != 0 { usleep(1_000) } }
        let saves = saves(setting)
        let seconds = try Threads.time(OneZoneStore.writers) { writer in
            for number in 0..<saves { try store.save(number, in: databases[writer]) }
        }
        try stop()
        for other in others { _ = try other.output() }
        return seconds
    }
}
