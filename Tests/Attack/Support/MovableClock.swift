import Kinfolk
import KinfolkThreads

/// A clock that stands still until it is moved.
final class MovableClock: Sendable {
    private let moment = Lock(Timestamp(microseconds: 1_767_225_600_000_000))  // 2026-01-01

    var now: Timestamp { moment.withLock { $0 } }

    func set(_ time: Timestamp) { moment.withLock { $0 = time } }

    func advance(seconds: Double) {
        moment.withLock { $0 = Timestamp(microseconds: $0.microseconds + Int64((seconds * 1_000_000).rounded())) }
    }

    func advance(hours: Double) { advance(seconds: hours * 3_600) }
}
