/// Guesses who is who in two containers, from what can be put in order or compared.
struct Matcher {
    let name: String
    /// How many of the people were matched rightly. One is what chance gives, however many there are.
    let hits: Int

    /// Chance gives more once in a hundred thousand times.
    static let bound = 8

    /// The same rank in both containers is the same person; ties are broken by chance.
    static func byOrder<Value: Comparable>(
        _ name: String,
        _ here: [Transcript],
        _ there: [Transcript],
        _ value: (Transcript) -> Value
    ) -> Matcher {
        let pairs = zip(ranking(here, value), ranking(there, value))
        return Matcher(name: name, hits: pairs.count { $0 == $1 })
    }

    /// Whoever has most bytes in common is the same person.
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
