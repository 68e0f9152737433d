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

    /// Ends the transaction of a batch that is not atomic: references of these records are not fulfilled, although their items seemed to
    /// succeed. It is run again without them.
    private struct Unmet: Error {
        let errors: [RecordID: KinfolkError]
    }

    /// Ends the transaction of a batch: a quota has no room for an item, but expired uploads count toward it.
    private struct LacksRoom: Error {}

    /// The most references through `deleteSelf` and `validate` that the records of a batch set.
    private static let maximumReferences = 10_000

    /// How often a batch is run with references that later items fulfil. After that, each item must be possible when it is done.
    private static let deferredRuns = 4

    private let database: Database
    private let isAtomic: Bool
    private let requests: [Result<RecordRequest, KinfolkError>]
    private var service: Service { database.session.container.service }

    init(_ operations: [RecordOperation], in database: Database, isAtomic: Bool) {
        self.database = database
        self.isAtomic = isAtomic
        let home = database.home
        var references = 0
        requests = operations.map { operation in
            Result { () throws(KinfolkError) in
                let request = try RecordRequest(operation, in: home)
                references += request.references.count
                guard references <= RecordBatch.maximumReferences else {
                    throw KinfolkError(
                        .limitExceeded,
                        "A batch has at most \(RecordBatch.maximumReferences) references with deleteSelf or validate."
                    )
                }
                return request
            }
        }
    }

    func run() throws(KinfolkError) -> BatchResults {
        let valid = requests.compactMap { try? $0.get() }
        guard !isAtomic || valid.count == requests.count else { return failed(requests.map { $0.map { _ in nil } }) }
        let numbers = try service.recordNumbers.take(valid.count { $0.mayInsert }, of: service)
        var refused: [RecordID: KinfolkError] = [:]
        var runs = 0
        var room = AssetExpiry.Room(service)
        var canMakeRoom = true
        while true {
            do {
                runs += 1
                let defers = runs <= RecordBatch.deferredRuns
                let results = try service.store.write(
                    isLarge: false,
                    isRepeatable: false,
                    { try run(valid, refused, defersConditions: defers, canMakeRoom: canMakeRoom, numbers, $0) },
                    then: nil
                )
                service.noteWrite()
                return results
            } catch let unmet as Unmet {
                refused.merge(unmet.errors) { first, _ in first }
            } catch is LacksRoom {
                runs -= 1
                canMakeRoom = room.make()
            } catch let failed as Failed {
                return self.failed(failed.outcomes)
            } catch {
                throw KinfolkError(error)
            }
        }
    }

    /// - Parameters:
    ///   - refused: The records of items that fail because of a reference, and their errors.
    ///   - defersConditions: Whether later items may fulfil the references of earlier ones.
    ///   - canMakeRoom: Whether expired uploads may be deleted if a quota has no room.
    private func run(
        _ valid: [RecordRequest],
        _ refused: [RecordID: KinfolkError],
        defersConditions: Bool,
        canMakeRoom: Bool,
        _ numbers: LeasedNumbers,
        _ db: Connection
    ) throws -> BatchResults {
        try RecordWriting.with(valid, database.session, database.scope, numbers: numbers, db) { writing in
            if defersConditions { writing.deferConditions(of: valid.filter { refused[$0.id] == nil }) }
            var outcomes: [Outcome] = []
            for request in requests {
                switch request {
                case .failure(let error): outcomes.append(.failure(error))
                case .success(let request):
                    outcomes.append(try refused[request.id].map { .failure($0) } ?? writing.attempt(request))
                }
                guard case .failure(let error) = outcomes.last else { continue }
                if canMakeRoom, error.code == .quotaExceeded, try AssetExpiry.isDue(service, db) { throw LacksRoom() }
                if isAtomic { throw Failed(outcomes: outcomes) }
            }
            let unmet = try writing.unmetConditions()
            guard unmet.isEmpty else {
                throw isAtomic ? Failed(outcomes: self.outcomes(outcomes, unmet)) as any Error : Unmet(errors: unmet)
            }
            return BatchResults(outcomes, deleted: writing.deleted)
        }
    }

    /// The results of an atomic batch whose items all succeeded, but for these records, whose references are not fulfilled.
    private func outcomes(_ outcomes: [Outcome], _ unmet: [RecordID: KinfolkError]) -> [Outcome] {
        zip(requests, outcomes).map { request, outcome in
            guard case .success(let request) = request, let error = unmet[request.id] else { return outcome }
            return .failure(error)
        }
    }

    /// The results of a batch of which nothing was done. The items that did not fail say that others did.
    private func failed(_ outcomes: [Outcome]) -> BatchResults {
        BatchResults(
            requests.indices.map { index -> Outcome in
                if index < outcomes.count, case .failure(let error) = outcomes[index] { return .failure(error) }
                return .failure(KinfolkError(.batchRequestFailed, "Another item of the atomic batch failed."))
            }
        )
    }
}
