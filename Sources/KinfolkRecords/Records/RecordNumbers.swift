package import KinfolkCore
package import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// The internal numbers of new records. A service takes them from the store a thousand at a time, so that writers do not wait for each
/// other at a single counter. Numbers that it does not use are lost.
package final class RecordNumbers: ServicePart {
    private static let block = 1_000

    private let free = Lock<Range<Int64>>(0..<0)
    private let fork = Fork.generation

    /// Numbers for `count` new records. Call this before the transaction that inserts them.
    package func take(_ count: Int, of service: Service) throws(KinfolkError) -> Range<Int64> {
        guard count > 0 else { return 0..<0 }
        guard fork == Fork.generation else { return try lease(count, of: service) }
        if let numbers = takeFree(count) { return numbers }
        let leased = try lease(max(count, RecordNumbers.block), of: service)
        let end = leased.lowerBound + Int64(count)
        free.withLock { $0 = end..<leased.upperBound }
        return leased.lowerBound..<end
    }

    private func takeFree(_ count: Int) -> Range<Int64>? {
        free.withLock { free in
            guard free.count >= count else { return nil }
            let end = free.lowerBound + Int64(count)
            defer { free = end..<free.upperBound }
            return free.lowerBound..<end
        }
    }

    private func lease(_ count: Int, of service: Service) throws(KinfolkError) -> Range<Int64> {
        try service.write { db in try RecordNumberTable.take(count, db) }
    }
}

extension Service {
    package var recordNumbers: RecordNumbers { part(RecordNumbers.self) }
}
