package import Kinfolk
import KinfolkThreads

/// A clock that stands still until it is moved.
package final class TestClock: Sendable {
    private let moment = Lock(Timestamp(microseconds: 1_767_225_600_000_000))  // 2026-01-01

    package init() {}

    package var now: Timestamp { moment.withLock { $0 } }

    /// Moves the clock by that many seconds.
    package func advance(seconds: Double) {
        moment.withLock { $0 = Timestamp(microseconds: $0.microseconds + Int64((seconds * 1_000_000).rounded())) }
    }
}
