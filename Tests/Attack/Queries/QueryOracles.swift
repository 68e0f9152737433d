import Kinfolk

/// Queries tell nothing about records that the caller may not read.
struct QueryOracles: Experiment {
    let name = "queries"
    let promise = "queries"

    func run(_ length: Length) throws -> [Finding] {
        let count = length.choose(short: 300, long: 12_000)
        return try QueriedRecords(hidden: count, in: .public).findings()
            + QueriedRecords(hidden: count, in: .private).findings()
    }
}
