import Glibc
import NIOConcurrencyHelpers

/// Writes lines to standard error on a thread of its own, so that a slow reader of the log does not slow down requests.
///
/// If the reader is too slow, lines are dropped and counted.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var isWriting = false
    }

    private let bell = ConditionLock(value: 0)
    private let content = NIOLockedValueBox(State())
    private static let limit = 4 << 20

    init() {
        Thread.start { [self] in work() }
    }

    func write(_ line: [UInt8]) {
        let wakes = content.withLockedValue { state in
            guard state.waiting.count + line.count <= LogWriter.limit else {
                state.dropped += 1
                return false
            }
            let wasEmpty = state.waiting.isEmpty
            state.waiting += line
            return wasEmpty
        }
        guard wakes else { return }
        bell.lock()
        bell.unlock(withValue: 1)
    }

    /// Waits, for at most a second, until everything is written.
    func finish() {
        for _ in 0..<200 {
            let isEmpty = content.withLockedValue { $0.waiting.isEmpty && !$0.isWriting }
            if isEmpty { return }
            usleep(5_000)
        }
    }

    private func work() {
        while true {
            bell.lock(whenValue: 1)
            bell.unlock(withValue: 0)
            while let (lines, dropped) = next() {
                StandardError.write(lines)
                if dropped > 0 {
                    StandardError.write(
                        "{\"level\":\"warning\",\"message\":\"Log lines were dropped.\",\"count\":\(dropped)}\n"
                    )
                }
            }
        }
    }

    private func next() -> ([UInt8], Int)? {
        content.withLockedValue { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let next = (state.waiting, state.dropped)
            state.waiting = []
            state.dropped = 0
            state.isWriting = true
            return next
        }
    }
}
