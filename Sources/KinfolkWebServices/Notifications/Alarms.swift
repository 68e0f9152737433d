import Glibc
import KinfolkThreads

/// Calls back after a time, many waits with one thread.
///
/// Times are rounded up to the next beat, so that thousands of waits are one wake of the thread.
final class Alarms: Sendable {
    private struct State {
        /// What to call in each beat.
        var calls: [Int: [Int: @Sendable () -> Void]] = [:]
        /// In which beat a call is.
        var beats: [Int: Int] = [:]
        var last = 0
        var isRunning = false
    }

    /// How long a beat is, in seconds.
    private static let beat = 1.0

    private let state = Lock(State())

    /// Calls `body` after some seconds, unless it is cancelled before.
    ///
    /// - Returns: A number for ``cancel(_:)``.
    func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) -> Int {
        let beat = Alarms.now() + Int((seconds / Alarms.beat).rounded(.up)) + 1
        let (number, mustStart) = state.withLock { state in
            state.last += 1
            state.calls[beat, default: [:]][state.last] = body
            state.beats[state.last] = beat
            defer { state.isRunning = true }
            return (state.last, !state.isRunning)
        }
        if mustStart, !Thread.start({ [state] in Alarms.run(state) }) { state.withLock { $0.isRunning = false } }
        return number
    }

    func cancel(_ number: Int) {
        state.withLock { state in
            guard let beat = state.beats.removeValue(forKey: number) else { return }
            state.calls[beat]?[number] = nil
        }
    }

    /// The thread keeps the state alive, not the alarms, and ends when there is nothing to call.
    private static func run(_ state: Lock<State>) {
        while true {
            Thread.sleep(seconds: beat)
            let now = now()
            let due: [@Sendable () -> Void]? = state.withLock { state in
                let beats = state.calls.keys.filter { $0 <= now }
                let due = beats.flatMap { state.calls.removeValue(forKey: $0) ?? [:] }
                for (number, _) in due { state.beats[number] = nil }
                guard state.calls.isEmpty, due.isEmpty else { return due.map(\.value) }
                state.isRunning = false
                return nil
            }
            guard let due else { return }
            for call in due { call() }
        }
    }

    /// Which beat it is.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(Double(time.tv_sec) / beat)
    }
}
