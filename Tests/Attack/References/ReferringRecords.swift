import Kinfolk

/// Nobody uses up the sources of another user's record, and nobody keeps a record or a person from being deleted by referring to it.
struct ReferringRecords: Experiment {
    let name = "references"
    let promise = "references"

    func run(_ length: Length) throws -> [Finding] {
        try SourceCrowding(records: length.choose(short: 400, long: 2_000)).findings()
            + ErasureObstruction(width: 700, levels: length.choose(short: 13, long: 100)).findings()
            + ErasureRaces(people: length.choose(short: 12, long: 200)).findings()
    }
}
