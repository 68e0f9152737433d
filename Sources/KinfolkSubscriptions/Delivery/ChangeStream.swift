#if !KINFOLK_BLOCKING
package import KinfolkModel
import KinfolkThreads

/// Makes streams of changes that are read when the task asks for them, so that none are kept in memory.
package enum ChangeStream {
    /// How many nanoseconds to wait before changes that cannot be read now are read again.
    private static let pause: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - observe: Begins to call `ring` when there may be changes, and calls `ended` when the service closes.
    ///   - read: Reads the next changes, and whether there may be more; nil if they cannot be read now.
    package static func make<Change: Sendable>(
        observing observe: (
            _ ring: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable () -> Void
        ) throws(KinfolkError) -> StoreObservation,
        reading read: @escaping @Sendable () async -> (changes: [Change], isBehind: Bool)?
    ) throws(KinfolkError) -> AsyncStream<Change> {
        let bell = Bell()
        let end = StreamEnd(bell, try observe({ bell.ring() }, { bell.end() }))
        let page = Lock<[Change]>([])
        return AsyncStream {
            await withTaskCancellationHandler {
                while !end.bell.isOver {
                    if let next = page.withLock({ $0.popLast() }) { return next }
                    await end.bell.wait()
                    end.bell.clear()
                    guard !end.bell.isOver else { break }
                    if let (found, isBehind) = await read() {
                        page.withLock { $0 = found.reversed() }
                        if isBehind { end.bell.ring() }
                    } else {
                        try? await Task.sleep(nanoseconds: pause)
                        end.bell.ring()
                    }
                }
                return nil
            } onCancel: {
                end.end()
            }
        } onCancel: {
            end.end()
        }
    }
}

/// Ends the observation when the stream is no longer read.
private final class StreamEnd: Sendable {
    let bell: Bell
    private let observation: StoreObservation

    init(_ bell: Bell, _ observation: StoreObservation) { (self.bell, self.observation) = (bell, observation) }

    func end() {
        bell.end()
        observation.cancel()
    }

    deinit { end() }
}
#endif
