/// What a thief of the store without its key learns of records: neither names nor values, but how many there are, when they were saved,
/// and which share a value. Measures how far statistics lead from there.
struct StolenRecords: Experiment {
    let name = "stolen-records"
    let promise = "stolen records"

    func run(_ length: Length) throws -> [Finding] {
        let surveys = try SurveyResults(length).findings()
        return try RecordSecrets(length.choose(short: 40, long: 400)).findings()
            + UnrelatedTags().findings()
            + ShownOfRecords(users: length.choose(short: 12, long: 60)).findings()
            + surveys
    }
}
