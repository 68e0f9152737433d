import Glibc
import KinfolkCrypto

/// Guesses which tag stands for which value, from the known statistics of a survey.
struct SurveyAttack {
    /// For each tag of each field the guessed value.
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

    /// Takes the most probable of several guesses by pairs of values.
    func byPairs() -> Guess {
        var best = improved(byFrequency())
        for sharpness in [0.003, 0.01, 0.03, 0.1] {
            let guess = improved(graduated(from: sharpness))
            if likelihood(of: guess) > likelihood(of: best) { best = guess }
        }
        return best
    }

    /// Guesses how well each tag fits each value by what is guessed of the other field, first vaguely and then more and more sharply
    /// (graduated assignment).
    private func graduated(from start: Double) -> Guess {
        var fits = [0, 1].map { field in soft(scores(byFrequencyOf: field), sharpness: start) }
        var sharpness = start
        while sharpness < 1 {
            for _ in 0..<3 {
                for field in 0...1 { fits[field] = soft(scores(field, fits[1 - field]), sharpness: sharpness) }
            }
            sharpness *= 1.15
        }
        return fits.map(decided)
    }

    /// How probable the frequency of each tag is for each value, as a logarithm.
    private func scores(byFrequencyOf field: Int) -> [[Double]] {
        let shares = survey.shares(ofField: field)
        let total = Double(stolen.records.count)
        return counts[field].map { pairs in
            let count = Double(pairs.reduce(0) { $0 + $1.count })
            return shares.map { share in count * (share * total).logarithm - share * total }
        }
    }

    /// The same of all pairs of each tag, if the tags of the other field fit as they are guessed to.
    private func scores(_ field: Int, _ other: [[Double]]) -> [[Double]] {
        counts[field].map { pairs in
            var expected = Array(repeating: 0.0, count: survey.valueCount)
            for pair in pairs {
                for value in expected.indices { expected[value] += Double(pair.count) * other[pair.other][value] }
            }
            return (0..<survey.valueCount).map { value in
                expected.indices.reduce(0) { sum, second in
                    sum + expected[second] * (field == 0 ? logarithms[value][second] : logarithms[second][value])
                }
            }
        }
    }

    /// Shares of each tag in the values, in which better scores have larger shares: about one of each tag and one of each value.
    private func soft(_ scores: [[Double]], sharpness: Double) -> [[Double]] {
        var shares = scores.map { row in
            let best = row.max() ?? 0
            return row.map { exp(max(-600, ($0 - best) * sharpness)) }
        }
        for _ in 0..<20 {
            for value in 0..<survey.valueCount {
                let sum = shares.reduce(0) { $0 + $1[value] }
                for tag in shares.indices where sum > 0 { shares[tag][value] /= sum }
            }
            for tag in shares.indices {
                let sum = shares[tag].reduce(0, +)
                for value in 0..<survey.valueCount where sum > 0 { shares[tag][value] /= sum }
            }
        }
        return shares
    }

    /// Gives each tag a value of its own, the surest first.
    private func decided(_ shares: [[Double]]) -> [Int] {
        var guess = Array(repeating: 0, count: shares.count)
        var free = Set(0..<survey.valueCount)
        for tag in shares.indices.sorted(by: { (shares[$0].max() ?? 0) > (shares[$1].max() ?? 0) }) {
            let value = free.max { (shares[tag][$0], $0) < (shares[tag][$1], $1) } ?? 0
            guess[tag] = value
            free.remove(value)
        }
        return guess
    }

    /// By how much an exchange of the values of two tags makes the pairs more probable.
    private func gain(_ left: Int, _ right: Int, _ field: Int, _ guess: Guess) -> Double {
        guard left != right else { return 0 }
        let (one, other) = (guess[field][left], guess[field][right])
        return weight(of: left, as: other, field, guess) + weight(of: right, as: one, field, guess)
            - weight(of: left, as: one, field, guess) - weight(of: right, as: other, field, guess)
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
                        guard gain(left, right, field, guess) > 1e-9 else { continue }
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
