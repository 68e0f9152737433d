import Foundation
import Kinfolk
import TestSupport
import Testing

/// The product answers like the model, under random steps.
///
/// KINFOLK_MODEL_SEED=N repeats the steps of one seed.
@Suite("Record model", .serialized) struct RecordModelTests {
    /// How many steps a store sees.
    private static let length = 2_000
    private static let firstSeed: UInt64 = 16
    private static let seed = ProcessInfo.processInfo.environment["KINFOLK_MODEL_SEED"].flatMap(UInt64.init)

    /// How many steps to take. A server is slower.
    private static var total: Int {
        switch (Search.isLong, TemporaryFolder.hasFiles) {
        case (true, true): 200_000
        case (true, false): 20_000
        case (false, true): 4_000
        case (false, false): 1_000
        }
    }

    @Test func theProductAnswersLikeTheModel() throws {
        var left = RecordModelTests.total
        var seeds: [UInt64] = [RecordModelTests.seed ?? RecordModelTests.firstSeed]
        while left > 0 {
            // The first seed is always the same, the others are new in each run.
            let seed = seeds.popLast() ?? .random(in: 0...UInt64(UInt32.max))
            let count = min(RecordModelTests.length, RecordModelTests.total / 2)
            try run(seed, count)
            left = RecordModelTests.seed == nil ? left - count : 0
        }
    }

    private func run(_ seed: UInt64, _ count: Int) throws {
        var generator = StepGenerator(seed: seed)
        let steps = generator.steps(count)
        let run = try ModelRun()
        guard let mismatch = run.mismatch(in: steps) else {
            let outcomes = run.outcomes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(
                separator: ", "
            )
            print("Record model: seed \(seed), \(count) steps: \(outcomes).")
            // Steps that nearly all fail would test little.
            if seed == RecordModelTests.firstSeed { #expect(run.outcomes["success", default: 0] * 5 > count) }
            return
        }
        let short = try StepShortening(steps, mismatch)
        let listing = short.steps.map { "    \($0)" }.joined(separator: "\n")
            .replacing(/(KinfolkTests|KinfolkModel|ModelStep|ContainerEnvironment|DatabaseScope)\./, with: "")
        Issue.record(
            """
            Seed \(seed), step \(mismatch.index): \(mismatch.what)
            \(short.steps.count) steps are enough: \(short.mismatch.what)
            \(listing)
            """
        )
    }
}
