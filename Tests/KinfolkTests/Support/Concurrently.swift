import KinfolkThreads
import TestSupport

/// What `body` gives on as many threads at once.
func concurrently<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable () throws -> Result) throws -> [Result] {
    let results = Lock<[Result]>([])
    try onThreads(count) { _ in
        let result = try body()
        results.withLock { $0.append(result) }
    }
    return results.withLock { $0 }
}
