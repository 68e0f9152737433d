import Glibc
import KinfolkStorage
import KinfolkThreads

extension Store {
    /// Increments a counter, and wakes those who wait for changes.
    package func countUpAndSignal(_ name: String) throws {
        try write { db in
            try db.execute(
                "INSERT INTO counters VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET value = counters.value + 1",
                .text(name)
            )
            try db.signal()
        }
    }
}

extension StoreSignal {
    /// Waits for many seconds. Whether something else than the end of the time ended the wait.
    package func isHeard(within seconds: Double = 60) -> Bool {
        let deadline = Deadline(in: seconds)
        wait(until: deadline)
        return !deadline.hasPassed
    }

    /// Waits briefly. Whether only the end of the time ended the wait.
    package func isQuiet() -> Bool { !isHeard(within: 0.3) }

    /// Discards what has arrived.
    package func discard() { wait(until: Deadline(in: 0)) }
}
