import CSQLite
import KinfolkThreads

/// How long a connection waits for others: in short sleeps of varied length.
///
/// SQLite's own handler sleeps longer each time, up to a tenth of a second, so under load a newcomer overtakes whoever has
/// waited longest.
final class Patience {
    private var deadline = Deadline(in: 0)

    /// Waits until then from now on.
    func start(until deadline: Deadline) { self.deadline = deadline }

    /// Waits no longer.
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
