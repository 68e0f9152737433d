import Kinfolk

/// Nobody reads, changes or learns of the records in another user's private database.
struct OthersRecords: Experiment {
    let name = "records"
    let promise = "others' records"

    func run(_ length: Length) throws -> [Finding] {
        try RecordReach(names: length.choose(short: 2, long: 12)).findings()
            + RecordLearning(rounds: length.choose(short: 12, long: 60)).findings()
            + RecordWork(rounds: length.choose(short: 30, long: 200)).findings()
            + SchemaLearning().findings()
            + (length == .long ? [RecordTiming().finding()] : [])
    }
}
