import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Several operations in one transaction.
struct RecordBatch {
    typealias Outcome = Result<Record?, KinfolkError>

    /// Ends the transaction of an atomic batch: an item failed.
    private struct Failed: Error {
        let outcomes: [Outcome]
    }

    private let database: Database
    private let isAtomic: Bool
    private let requests: [Result<RecordRequest, KinfolkError>]
    private var service: Service { database.session.container.service }

    init(_ operations: [RecordOperation], in database: Database, isAtomic: Bool) {
        self.database = database
        self.isAtomic = isAtomic
        let home = database.home
        requests = operations.map { operation in
            Result { () throws(KinfolkError) in try RecordRequest(operation, in: home) }
        }
    }

    func run() throws(KinfolkError) -> [Outcome] {
        let valid = requests.compactMap { try? $0.get() }
        guard !isAtomic || valid.count == requests.count else { return failed(requests.map { $0.map { _ in nil } }) }
        let numbers = try service.recordNumbers.take(valid.count { $0.mayInsert }, of: service)
        do {
            return try service.store.write(
                isLarge: false,
                isRepeatable: false,
                { try run(valid, numbers, $0) },
                then: nil
            )
        } catch let failed as Failed {
            return self.failed(failed.outcomes)
        } catch {
            throw KinfolkError(error)
        }
    }

    private func run(_ valid: [RecordRequest], _ numbers: LeasedNumbers, _ db: Connection) throws -> [Outcome] {
        try RecordWriting.with(valid, database.session, database.scope, numbers: numbers, db) { writing in
            var outcomes: [Outcome] = []
            for request in requests {
                switch request {
                case .failure(let error): outcomes.append(.failure(error))
                case .success(let request): outcomes.append(try writing.attempt(request))
                }
                if isAtomic, case .failure = outcomes.last { throw Failed(outcomes: outcomes) }
            }
            return outcomes
        }
    }

    /// The results of a batch of which nothing was done. The items that did not fail say that others did.
    private func failed(_ outcomes: [Outcome]) -> [Outcome] {
        requests.indices.map { index in
            if index < outcomes.count, case .failure(let error) = outcomes[index] { return .failure(error) }
            return .failure(KinfolkError(.batchRequestFailed, "Another item of the atomic batch failed."))
        }
    }
}
