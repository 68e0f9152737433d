import KinfolkThreads

/// Does work that waits for others, such as sending mails, a few at a time, while requests are answered.
final class Postman: Sendable {
    /// How much may wait. More is dropped: a person can ask again.
    private static let room = 1_000

    private let workers = WorkerPool(limit: 4)
    private let waiting = Lock(0)

    /// Runs work that may take long.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let hasRoom = waiting.withLock { waiting in
            guard waiting < Postman.room else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else { return false }
        workers.run { [waiting] in
            work()
            waiting.withLock { $0 -= 1 }
        }
        return true
    }
}
