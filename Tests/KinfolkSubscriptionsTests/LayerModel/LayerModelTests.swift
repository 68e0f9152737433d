import Foundation
import Kinfolk
import TestSupport
import Testing

/// The key-value store and the documents answer like a model, under random steps of several users, devices and services.
///
/// KINFOLK_MODEL_SEED=N repeats the steps of one seed.
@Suite("Model of keys and documents", .serialized) struct LayerModelTests {
    private static let seed = ProcessInfo.processInfo.environment["KINFOLK_MODEL_SEED"].flatMap(UInt64.init)

    private static var steps: Int {
        switch (Search.isLong, TemporaryFolder.hasFiles) {
        case (true, true): 40_000
        case (true, false): 8_000
        case (false, true): 1_000
        case (false, false): 500
        }
    }

    @Test func theProductAnswersLikeTheModel() throws {
        // The first seed is always the same, the other is new in each run.
        for seed in LayerModelTests.seed.map({ [$0] }) ?? [7, .random(in: 0...UInt64(UInt32.max))] {
            let run = try LayerModelRun(seed: seed)
            for step in 0..<LayerModelTests.steps {
                do { try run.step() } catch {
                    Issue.record("Seed \(seed), step \(step), \(run.last): \(error)")
                    return
                }
            }
            try run.check()
            // Steps that nearly all fail would test little.
            #expect(run.successes * 2 > LayerModelTests.steps)
        }
    }
}
