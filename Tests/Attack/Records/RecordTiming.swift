import Kinfolk
import KinfolkThreads
import TestSupport

/// What the duration of fetches alone tells about names in another user's private database.
struct RecordTiming {
    private static let records = 2_000
    private static let fetches = 20_000
    private static let runs = 3
    private static let bound = 0.10

    private let session: Session
    /// Names that another user has, that nobody has, and that the session's user has.
    private let kinds: [[RecordID]]

    init() throws {
        let scene = try RecordScene()
        session = try scene.store.session(InventedPerson(2))
        kinds = try ["held", "free", "mine"].map { kind in
            try (0..<RecordTiming.records).map { try RecordID("\(kind) \(10_000 + $0)") }
        }
        try scene.savePrivateRecords(kinds[0])
        for id in kinds[2] { _ = try session.privateDatabase.save(RecordScene.record(id, title: "mine")) }
    }

    func finding() throws -> Finding {
        let runs = try (0..<RecordTiming.runs).map(run).sorted { $0.advantage < $1.advantage }
        let median = runs[runs.count / 2]
        return Finding(
            "\(RecordTiming.fetches.grouped) fetches of names that another user has in private, and of names that nobody has, shuffled, "
                + "\(runs.count) runs, only timed",
            "AUC \((0.5 + median.advantage).rounded(to: 3)); of the user's own records "
                + (0.5 + median.control).rounded(to: 3),
            isHeld: median.advantage <= RecordTiming.bound
        )
    }

    private func run(_ seed: Int) throws -> (advantage: Double, control: Double) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var order = kinds.indices.flatMap { repeatElement($0, count: RecordTiming.fetches) }
        order.shuffle(using: &generator)
        var times = kinds.map { _ in [UInt64]() }
        let database = session.privateDatabase
        for kind in order {
            let ids = [kinds[kind][Int.random(in: 0..<RecordTiming.records, using: &generator)]]
            let start = Deadline.now
            let results = try database.fetch(ids)
            let end = Deadline.now
            guard ((try? results[0].get()) != nil) == (kind == 2) else { throw ExperimentFailure("a wrong answer") }
            times[kind].append(end - start)
        }
        let sorted = times.map { $0.sorted() }
        return (
            abs(AreaUnderCurve.of(sorted[0], sorted[1]) - 0.5), abs(AreaUnderCurve.of(sorted[1], sorted[2]) - 0.5)
        )
    }
}
