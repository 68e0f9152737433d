import Kinfolk
import KinfolkThreads
import TestSupport

/// What an attacker learns from the duration of answers alone.
struct Timing {
    private let people: HiddenPeople
    private static let lookups = 20_000
    private static let runs = 3
    private static let bound = 0.10

    init(_ people: HiddenPeople) { self.people = people }

    func findings() throws -> [Finding] {
        let seeker = people.seeker
        return [
            try measure("e-mail") { kind, number in try seeker.discover(kind.emails[number]) != nil },
            try measure("record ID") { kind, number in try seeker.discover(kind.records[number]) != nil },
        ]
    }

    private func measure(
        _ input: String,
        _ ask: (HiddenPeople.Kind, Int) throws -> Bool
    ) throws -> Finding {
        var runs: [Run] = []
        for seed in 0..<Timing.runs { runs.append(try run(seed, ask)) }
        runs.sort { $0.best < $1.best }
        let median = runs[runs.count / 2]
        return Finding(
            "\(Timing.lookups.grouped) lookups of each kind by \(input), shuffled, \(runs.count) runs, only timed",
            "AUC of the best pair \((0.5 + median.best).rounded(to: 3)) (\(median.pair)); of a person who is found "
                + (0.5 + median.control).rounded(to: 3),
            isHeld: median.best <= Timing.bound
        )
    }

    private struct Run {
        /// The distance of the AUC from one half, and the two kinds.
        let best: Double
        let pair: String
        let control: Double
    }

    private func run(_ seed: Int, _ ask: (HiddenPeople.Kind, Int) throws -> Bool) throws -> Run {
        var generator = SeededGenerator(seed: UInt64(seed))
        let kinds = people.kinds + [people.found]
        var order = kinds.indices.flatMap { kind in repeatElement(kind, count: Timing.lookups) }
        order.shuffle(using: &generator)
        var times = kinds.map { _ in [UInt64]() }
        for kind in order {
            let number = Int.random(in: 0..<kinds[kind].emails.count, using: &generator)
            let start = Deadline.now
            let isFound = try ask(kinds[kind], number)
            let end = Deadline.now
            guard isFound == (kind == kinds.count - 1) else { throw ExperimentFailure("a wrong answer") }
            times[kind].append(end - start)
        }
        let sorted = times.map { $0.sorted() }
        var best = (advantage: 0.0, pair: "")
        for first in people.kinds.indices {
            for second in people.kinds.indices where second > first {
                let advantage = abs(AreaUnderCurve.of(sorted[first], sorted[second]) - 0.5)
                if advantage >= best.advantage { best = (advantage, "\(kinds[first].name), \(kinds[second].name)") }
            }
        }
        let control = abs(AreaUnderCurve.of(sorted[0], sorted[kinds.count - 1]) - 0.5)
        return Run(best: best.advantage, pair: best.pair, control: control)
    }
}
