import KinfolkThreads
import TestSupport

/// Runs `body` concurrently on this many threads, and returns the results.
package func concurrently<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable () throws -> Result) throws
    -> [Result]
{
    let results = Lock<[Result]>([])
    try onThreads(count) { _ in
        let result = try body()
        results.withLock { $0.append(result) }
    }
    return results.withLock { $0 }
}
