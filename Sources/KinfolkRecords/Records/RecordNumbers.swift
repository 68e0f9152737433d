package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The internal numbers of new records. A service takes them from the store a thousand at a time, so that writers do not wait for each
/// other at a single counter. Numbers that it does not use are lost.
package final class RecordNumbers: ServicePart {
    private static let block = 1_000

    private let free = Lock(LeasedNumbers.none)
    private let fork = Fork.generation

    /// Numbers for `count` new records. Call this before the transaction that inserts them.
    package func take(_ count: Int, of service: Service) throws(KinfolkError) -> LeasedNumbers {
        guard count > 0 else { return .none }
        guard fork == Fork.generation else { return try lease(count, of: service) }
        if let numbers = free.withLock({ $0.take(count) }) { return numbers }
        var leased = try lease(max(count, RecordNumbers.block), of: service)
        defer { free.withLock { $0 = leased } }
        guard let numbers = leased.take(count) else {
            throw KinfolkError(.internalError, "Too few numbers were leased.")
        }
        return numbers
    }

    private func lease(_ count: Int, of service: Service) throws(KinfolkError) -> LeasedNumbers {
        try service.write { db in
            LeasedNumbers(numbers: try RecordNumberTable.take(count, db), stamp: try service.keys(db).stamp)
        }
    }

    /// The numbers to use in a write transaction: those that were leased, or others, if the store is no longer the one that leased
    /// them. Another service may have the same numbers of a restored store.
    package func numbers(_ leased: LeasedNumbers, of service: Service, _ db: Connection) throws -> Range<Int64> {
        guard !leased.numbers.isEmpty, try leased.stamp != service.keys(db).stamp else { return leased.numbers }
        if fork == Fork.generation {
            free.withLock { free in if free.stamp == leased.stamp { free = .none } }
        }
        return try RecordNumberTable.take(leased.numbers.count, db)
    }
}

extension Service {
    package var recordNumbers: RecordNumbers { part(RecordNumbers.self) }
}
