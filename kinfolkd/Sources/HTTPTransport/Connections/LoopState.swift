import NIOCore

/// What the connections on one event loop share. Only that loop uses it, so it needs no locks.
///
/// Unchecked: each access is on the event loop.
final class LoopState: @unchecked Sendable {
    let loop: any EventLoop
    var metrics = Metrics()
    private(set) var isDraining = false
    private var watchlist = Watchlist()
    private var date = HTTPDate()
    private var timer: RepeatedTask?
    private let prefix = String(UInt32.random(in: .min ... .max), radix: 16)
    private var requests = 0
    /// Which part of the list is looked at next.
    private var turn = 0
    private static let turns = 4

    init(_ loop: any EventLoop) { self.loop = loop }

    func start() {
        timer = loop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) { [self] _ in
            check()
        }
    }

    func stop() { timer?.cancel() }

    /// The ID of a request in the log: random for each loop, and then a number.
    func nextRequestID() -> String {
        requests += 1
        return "\(prefix)-\(requests)"
    }

    func watch(_ object: Watched) { watchlist.add(object) }

    func unwatch(_ object: Watched) { watchlist.remove(object) }

    /// From now on, each answer says that its connection closes.
    func beginDrain() { isDraining = true }

    func drain() {
        beginDrain()
        for object in watchlist.objects { object.drain() }
    }

    func end() { for object in watchlist.objects { object.end() } }

    /// The value of the header `date`.
    var dateText: String { date.text }

    private func check() {
        let now = NIODeadline.now()
        // Each object once a second, in turn. Over a copy: an object may leave the list.
        let objects = watchlist.objects
        for index in stride(from: turn, to: objects.count, by: LoopState.turns) where objects[index].deadline <= now {
            objects[index].deadlinePassed(now)
        }
        turn = (turn + 1) % LoopState.turns
    }
}
