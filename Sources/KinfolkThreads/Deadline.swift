import Glibc

/// A time on the monotonic clock, which changes of the system's date do not affect.
package struct Deadline: Sendable {
    /// Nanoseconds on the monotonic clock; nil for a deadline that never passes.
    private let nanoseconds: UInt64?
    private var isCut: Lock<Bool>?

    package static let never = Deadline(nanoseconds: nil)

    private init(nanoseconds: UInt64?) { self.nanoseconds = nanoseconds }

    /// A deadline that passes at this time, or earlier when the flag becomes true. A thread that sleeps until the deadline is not woken.
    package func cut(by flag: Lock<Bool>) -> Deadline {
        var deadline = self
        deadline.isCut = flag
        return deadline
    }

    /// The time after the given number of seconds. Negative numbers and not-a-number count as now.
    package init(in seconds: Double) {
        // No caller waits for a year, and the limit keeps the sum in range.
        let delay = seconds > 0 ? min(seconds, 31_536_000) : 0
        self.init(nanoseconds: Deadline.now &+ UInt64(delay * 1_000_000_000))
    }

    package var hasPassed: Bool {
        if let isCut, isCut.withLock(\.self) { return true }
        return nanoseconds.map { Deadline.now >= $0 } ?? false
    }

    /// How many milliseconds are left: 0 after the deadline has passed, and a year at most.
    package var milliseconds: Int {
        let year: UInt64 = 31_536_000_000
        guard let nanoseconds else { return Int(year) }
        let now = Deadline.now
        return now >= nanoseconds ? 0 : Int(min((nanoseconds - now) / 1_000_000, year))
    }

    /// Nanoseconds on the monotonic clock.
    package static var now: UInt64 {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    var timespec: Glibc.timespec? {
        nanoseconds.map { Glibc.timespec(tv_sec: Int($0 / 1_000_000_000), tv_nsec: Int($0 % 1_000_000_000)) }
    }
}
