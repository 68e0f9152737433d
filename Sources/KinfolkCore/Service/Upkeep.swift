import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Work that a service does from time to time after a change, so an idle service does nothing and needs no thread.
///
/// It runs in a transaction of its own. If it fails, the preceding change remains, and the work is retried later.
final class Upkeep: Sendable {
    private static let minute = 60.0

    private struct State {
        var checkedAt: Timestamp?
        var day: Int64?
        var isAtWork = false
    }

    private let state = Lock(State())
    private let fork = Fork.generation

    /// Does the work that is due.
    func run(for service: Service) {
        guard fork == Fork.generation else { return }
        let now = service.steadyClock()
        let (isDue, isNewDay) = state.withLock { state in
            guard !state.isAtWork else { return (false, false) }
            let isDue = state.checkedAt.map { abs(now.seconds(since: $0)) >= Upkeep.minute } ?? true
            state.isAtWork = isDue
            return (isDue, state.day != now.day)
        }
        guard isDue else { return }
        let isDone = isNewDay && (try? service.store.write { db in try Upkeep.runDaily(service, now, db) }) != nil
        for work in service.components.flatMap(\.often) { try? work(service) }
        state.withLock { state in
            state.isAtWork = false
            state.checkedAt = now
            if isDone { state.day = now.day }
        }
    }

    private static func runDaily(_ service: Service, _ now: Timestamp, _ db: Connection) throws {
        let today = withUnsafeBytes(of: now.day.bigEndian, Array.init)
        guard try ServiceTable.value("upkeep", db) != today else { return }
        for work in service.components.flatMap(\.daily) { try work(service, db) }
        try ServiceTable.set("upkeep", today, db)
    }
}
