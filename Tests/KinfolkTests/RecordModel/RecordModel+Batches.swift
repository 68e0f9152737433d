import Kinfolk

/// Runs several requests in one call.
extension RecordModel {
    mutating func run(
        _ requests: [ModelRequest],
        atomically: Bool,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> [Outcome] {
        guard requests.count <= Database.maximumBatch, requests.reduce(0, { $0 + $1.size }) <= Database.maximumBatchSize
        else {
            throw ModelFailure(.limitExceeded)
        }
        guard Set(requests.map { [$0.draft.zone, $0.draft.name] }).count == requests.count else {
            throw ModelFailure(.invalidArgument)
        }
        let before = self
        call = ModelCall()
        var outcomes = requests.map { request in
            Result { () throws(ModelFailure) -> ModelRecord? in
                try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
                return nil
            }
        }
        if !atomically || !outcomes.contains(where: RecordModel.isFailure) {
            _ = try requireGoodStanding(caller)
            for (index, request) in requests.enumerated() {
                guard case .success = outcomes[index] else { continue }
                outcomes[index] = Result { () throws(ModelFailure) in try attempt(request, scope, by: caller) }
                if atomically, case .failure = outcomes[index] {
                    // The items after it were not tried.
                    outcomes = outcomes.prefix(index + 1) + outcomes.dropFirst(index + 1).map { _ in .success(nil) }
                    break
                }
            }
        }
        guard atomically, outcomes.contains(where: RecordModel.isFailure) else { return outcomes }
        self = before
        return outcomes.map { RecordModel.isFailure($0) ? $0 : .failure(ModelFailure(.batchRequestFailed)) }
    }

    private static func isFailure(_ outcome: Outcome) -> Bool { if case .failure = outcome { true } else { false } }
}
