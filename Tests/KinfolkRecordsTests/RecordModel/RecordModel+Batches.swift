import Kinfolk

/// Runs several requests in one call.
extension RecordModel {
    /// How often a batch is run with references that later items fulfil.
    private static let deferredRuns = 4

    mutating func run(
        _ requests: [ModelRequest],
        atomically: Bool,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> [Outcome] {
        call = ModelCall()
        guard requests.count <= Database.maximumBatch, requests.reduce(0, { $0 + $1.size }) <= Database.maximumBatchSize
        else {
            throw ModelFailure(.limitExceeded)
        }
        guard Set(requests.map(\.draft.key)).count == requests.count else { throw ModelFailure(.invalidArgument) }
        let checked = requests.map { request in
            Result { () throws(ModelFailure) -> ModelRecord? in
                try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
                return nil
            }
        }
        guard !atomically || !checked.contains(where: RecordModel.isFailure) else { return RecordModel.failed(checked) }
        _ = try requireGoodStanding(caller)
        let home = try home(scope, of: caller)
        let before = self
        // The items that fail although they could be done when their turn came.
        var refused: [ModelKey: ModelFailure] = [:]
        var runs = 0
        while true {
            self = before
            runs += 1
            if runs <= RecordModel.deferredRuns { deferConditions(of: requests, checked, refused) }
            var outcomes = checked
            for (index, request) in requests.enumerated() {
                guard case .success = checked[index] else { continue }
                outcomes[index] = Result { () throws(ModelFailure) in
                    if let failure = refused[request.draft.key] { throw failure }
                    return try attempt(request, scope, by: caller)
                }
                if atomically, RecordModel.isFailure(outcomes[index]) {
                    self = before
                    // The items after it were not tried.
                    return RecordModel.failed(
                        outcomes.prefix(index + 1) + requests.dropFirst(index + 1).map { _ in .success(nil) }
                    )
                }
            }
            let unmet = unmetConditions(in: home, by: caller)
            guard !unmet.isEmpty else {
                deleteDroppedAssets()
                return outcomes
            }
            guard !atomically else {
                self = before
                return RecordModel.failed(
                    zip(requests, outcomes).map { request, outcome in
                        unmet[request.draft.key].map { .failure($0) } ?? outcome
                    }
                )
            }
            refused.merge(unmet) { first, _ in first }
        }
    }

    private mutating func deferConditions(
        of requests: [ModelRequest],
        _ checked: [Outcome],
        _ refused: [ModelKey: ModelFailure]
    ) {
        call.defersConditions = true
        for (request, outcome) in zip(requests, checked) where !RecordModel.isFailure(outcome) && !request.isDeletion {
            if refused[request.draft.key] == nil { call.upcoming.insert(request.draft.key) }
        }
    }

    /// The outcomes of an atomic batch of which nothing was done.
    private static func failed(_ outcomes: [Outcome]) -> [Outcome] {
        outcomes.map { isFailure($0) ? $0 : .failure(ModelFailure(.batchRequestFailed)) }
    }

    private static func isFailure(_ outcome: Outcome) -> Bool { if case .failure = outcome { true } else { false } }
}
