import CSQLite
import KinfolkThreads

/// How long a connection waits for locks of others: in short sleeps of random length.
///
/// SQLite's own handler sleeps longer each time, up to a tenth of a second, so under load a new client overtakes those that have
/// waited longest.
final class Patience {
    private var deadline = Deadline(in: 0)

    /// From now on, waits until `deadline`.
    func start(until deadline: Deadline) { self.deadline = deadline }

    /// From now on, does not wait.
    func stop() { deadline = Deadline(in: 0) }

    /// The connection must not outlive this object.
    func install(on connection: OpaquePointer) {
        sqlite3_busy_handler(
            connection,
            { context, _ in
                guard let context else { return 0 }
                let patience = Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue()
                guard !patience.deadline.hasPassed else { return 0 }
                Thread.sleep(seconds: Double.random(in: 0.000_1...0.002))
                return 1
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
