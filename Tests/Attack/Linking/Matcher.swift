/// Guesses which people of two containers are the same, by the order or the likeness of a value.
struct Matcher {
    let name: String
    /// How many people were matched rightly. Guessing at random matches one on average, however many people there are.
    let hits: Int

    /// Random guesses match more than this once in a hundred thousand times.
    static let bound = 8

    /// Matches people who have the same rank in both containers. Ties are broken at random.
    static func byOrder<Value: Comparable>(
        _ name: String,
        _ here: [Transcript],
        _ there: [Transcript],
        _ value: (Transcript) -> Value
    ) -> Matcher {
        let pairs = zip(ranking(here, value), ranking(there, value))
        return Matcher(name: name, hits: pairs.count { $0 == $1 })
    }

    /// Matches each person with the one whose value has the most bytes in common.
    static func byLikeness(
        _ name: String,
        _ here: [Transcript],
        _ there: [Transcript],
        _ bytes: (Transcript) -> [UInt8]
    ) -> Matcher {
        var hits = 0
        let candidates = there.map(bytes)
        for (person, transcript) in here.enumerated() {
            let own = bytes(transcript)
            let scores = candidates.map { candidate in zip(own, candidate).count { $0 == $1 } }
            let best = scores.max() ?? 0
            let guess = scores.indices.filter { scores[$0] == best }.randomElement()
            if guess == person { hits += 1 }
        }
        return Matcher(name: name, hits: hits)
    }

    private static func ranking<Value: Comparable>(
        _ transcripts: [Transcript],
        _ value: (Transcript) -> Value
    ) -> [Int] {
        transcripts.indices.shuffled().sorted { value(transcripts[$0]) < value(transcripts[$1]) }
    }
}
