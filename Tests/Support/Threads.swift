import Foundation
import KinfolkThreads

/// Runs `body` on as many threads at once and returns when all are done. The first error is thrown.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let state = Lock((running: count, failure: (any Error)?.none))
    for number in 0..<count {
        let isStarted = Thread.start {
            var failure: (any Error)?
            do { try body(number) } catch { failure = error }
            state.withLock { state in
                state.running -= 1
                state.failure = state.failure ?? failure
            }
        }
        if !isStarted { state.withLock { $0.running -= 1 } }
    }
    let failure = state.withLock(when: { $0.running == 0 }, until: .never) { $0.failure }
    if let failure, let failure { throw failure }
}

/// Asks again until `condition` holds, and gives up after many seconds.
package func eventually(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Deadline(in: seconds)
    while !end.hasPassed {
        if try condition() { return true }
        Thread.sleep(seconds: 0.01)
    }
    return try condition()
}

/// How many threads of this process have that name.
package func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.dropLast() == name[...]
    }
}

/// Names the calling thread, in at most 15 bytes.
package func nameThread(_ name: String) {
    // Glibc's function for it is hidden from Swift.
    try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
}
