import KinfolkThreads

/// Does work that waits for others, such as sending mails, a few at a time, while requests are answered.
final class Postman: Sendable {
    /// How much may wait before people are asked to come again later.
    private static let room = 1_000

    private let workers = WorkerPool(limit: 4)
    private let waiting = Lock(0)

    /// Whether it can take more work soon.
    var hasRoom: Bool { waiting.withLock { $0 < Postman.room } }

    /// Runs work that may take long. Nothing is dropped: who can refuse asks ``hasRoom`` first.
    func run(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0 += 1 }
        workers.run { [waiting] in
            work()
            waiting.withLock { $0 -= 1 }
        }
    }
}
