import KinfolkThreads

/// Finds a short sequence of steps that still fails, by leaving out steps (Zeller, Hildebrandt: Simplifying and Isolating
/// Failure-Inducing Input, 2002).
struct StepShortening {
    /// How long to try.
    private static let seconds = 120.0

    private(set) var steps: [ModelStep]
    private(set) var mismatch: ModelRun.Mismatch

    init(_ failing: [ModelStep], _ mismatch: ModelRun.Mismatch) throws {
        steps = Array(failing.prefix(mismatch.index + 1))
        self.mismatch = mismatch
        let deadline = Deadline(in: StepShortening.seconds)
        var size = max(steps.count / 2, 1)
        while !deadline.hasPassed {
            let isShorter = try leaveOut(size, until: deadline)
            if size == 1 && !isShorter { return }
            if !isShorter || size > steps.count { size = max(size / 2, 1) }
        }
    }

    /// Leaves out each part of so many steps without which it still fails.
    private mutating func leaveOut(_ size: Int, until deadline: Deadline) throws -> Bool {
        var isShorter = false
        var start = 0
        while start < steps.count, !deadline.hasPassed {
            var fewer = steps
            fewer.removeSubrange(start..<min(start + size, steps.count))
            if let found = try ModelRun.mismatch(in: fewer) {
                steps = Array(fewer.prefix(found.index + 1))
                mismatch = found
                isShorter = true
            } else {
                start += size
            }
        }
        return isShorter
    }
}
