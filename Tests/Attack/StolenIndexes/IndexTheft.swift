/// What a thief of the store without its key learns from the indexes of queries: no value, word or location. Measures what frequencies and
/// co-occurrence tell.
struct IndexTheft: Experiment {
    let name = "stolen-indexes"
    let promise = "stolen indexes"

    func run(_ length: Length) throws -> [Finding] {
        try IndexSecrets(length.choose(short: 10, long: 100)).findings()
            + UnrelatedIndexes().findings()
            + GuessedNames(length.choose(short: 2_000, long: 20_000)).findings()
            + GuessedWords(length.choose(short: 400, long: 10_000), singles: length.choose(short: 20, long: 200))
            .findings()
            + GuessedPlaces(length.choose(short: 1_000, long: 10_000)).findings()
    }
}
