import KinfolkCrypto
import TestSupport

/// Guesses which tag stands for which value, from the known statistics of a survey.
struct SurveyAttack {
    /// For each tag the guessed value of its field. Tags that no value is left for are not in it.
    typealias Guess = [[Int]]

    private let survey: Survey
    private let stolen: StolenSurvey
    /// How many records have each pair of tags: for each tag of a field the counts of those of the other.
    private let counts: [[[(other: Int, count: Int)]]]
    private let logarithms: [[Double]]

    init(_ survey: Survey, _ stolen: StolenSurvey) {
        self.survey = survey
        self.stolen = stolen
        var pairs: [[Int]: Int] = [:]
        for record in stolen.records { pairs[record, default: 0] += 1 }
        var counts = stolen.tags.map { tags in tags.map { _ in [(other: Int, count: Int)]() } }
        for (pair, count) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            counts[0][pair[0]].append((pair[1], count))
            counts[1][pair[1]].append((pair[0], count))
        }
        self.counts = counts
        logarithms = survey.pairs.map { $0.map { max($0, 1e-12).logarithm } }
    }

    /// The most frequent tag of a field stands for its most frequent value, and so on.
    func byFrequency() -> Guess {
        [0, 1].map { field in
            let shares = survey.shares(ofField: field)
            let values = shares.indices.sorted { shares[$0] > shares[$1] }
            let frequencies = counts[field].map { $0.reduce(0) { $0 + $1.count } }
            var guess = Array(repeating: 0, count: frequencies.count)
            for (rank, tag) in frequencies.indices.sorted(by: { frequencies[$0] > frequencies[$1] }).enumerated() {
                guess[tag] = values[rank]
            }
            return guess
        }
    }

    /// Starts from the frequencies, and from random guesses, and exchanges values as long as that makes the pairs of values more
    /// probable.
    func byPairs(tries: Int) -> Guess {
        var generator = SeededGenerator(seed: 7)
        var best = improved(byFrequency())
        for _ in 0..<tries {
            let start = stolen.tags.map { tags in
                Array((0..<survey.valueCount).shuffled(using: &generator).prefix(tags.count))
            }
            let other = improved(start)
            if likelihood(of: other) > likelihood(of: best) { best = other }
        }
        return best
    }

    /// How probable the stolen pairs are if the guess is right, as a logarithm.
    func likelihood(of guess: Guess) -> Double {
        counts[0].indices.reduce(0) { $0 + weight(of: $1, as: guess[0][$1], 0, guess) }
    }

    private func improved(_ start: Guess) -> Guess {
        var guess = start
        for _ in 0..<50 {
            var hasChanged = false
            for field in 0...1 {
                for left in guess[field].indices {
                    for right in guess[field].indices where right > left {
                        let (one, other) = (guess[field][left], guess[field][right])
                        let now = weight(of: left, as: one, field, guess) + weight(of: right, as: other, field, guess)
                        let then = weight(of: left, as: other, field, guess) + weight(of: right, as: one, field, guess)
                        guard then > now + 1e-9 else { continue }
                        guess[field].swapAt(left, right)
                        hasChanged = true
                    }
                }
            }
            if !hasChanged { break }
        }
        return guess
    }

    private func weight(of tag: Int, as value: Int, _ field: Int, _ guess: Guess) -> Double {
        counts[field][tag].reduce(0) { sum, pair in
            let other = guess[1 - field][pair.other]
            return sum + Double(pair.count) * (field == 0 ? logarithms[value][other] : logarithms[other][value])
        }
    }
}
