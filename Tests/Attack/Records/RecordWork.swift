import Kinfolk
import KinfolkStorage

/// Compares the statements and steps of calls about names that are in another user's private database with those about names that are
/// nowhere.
struct RecordWork {
    /// By how many of SQLite's steps a statement may differ.
    private static let handful = 10
    private static let batch = 10

    private struct Call {
        let name: String
        let make: (Session, [RecordID]) throws -> Void
    }

    private let scene: RecordScene
    private let session: Session
    private let rounds: Int
    private let calls: [Call]

    init(rounds: Int) throws {
        self.rounds = rounds
        scene = try RecordScene()
        session = try scene.store.session(InventedPerson(2))
        calls = DatabaseScope.allCases.flatMap(RecordWork.calls)
        try scene.savePrivateRecords(ids(true, calls.indices, 0..<rounds + 1))
    }

    private static func calls(_ scope: DatabaseScope) -> [Call] {
        let record = { (id: RecordID) in try RecordScene.record(id, title: "mine") }
        let saves = SavePolicy.allCases.map { policy in
            Call(name: "save \(policy) \(scope)") { session, ids in
                _ = try session.database(scope).save(record(ids[0]), policy: policy)
            }
        }
        return saves + [
            Call(name: "fetch \(scope)") { session, ids in _ = try session.database(scope).fetch(ids[0]) },
            Call(name: "fetch many \(scope)") { session, ids in _ = try session.database(scope).fetch(ids) },
            Call(name: "delete \(scope)") { session, ids in try session.database(scope).delete(ids[0]) },
            Call(name: "force-delete \(scope)") { session, ids in
                _ = try session.database(scope).run(ids.map(RecordOperation.forceDelete))
            },
            Call(name: "batch \(scope)") { session, ids in
                _ = try session.database(scope).run(ids.map { .create(try record($0)) }, atomically: true)
            },
        ]
    }

    /// Names of the same length, each used by one call in one round.
    private func ids(_ areHeld: Bool, _ calls: Range<Int>, _ rounds: Range<Int>) throws -> [RecordID] {
        try calls.flatMap { call in
            try rounds.flatMap { round in
                try (0..<RecordWork.batch).map { number in
                    let place = 10_000_000 + (call * 1_000 + round) * RecordWork.batch + number
                    return try RecordID("\(areHeld ? "held" : "free") \(place)")
                }
            }
        }
    }

    func findings() throws -> [Finding] {
        var largest = 0
        var different: [String] = []
        for (index, call) in calls.enumerated() {
            var works: [Bool: [[WorkDone]]] = [:]
            // The first round prepares connections and statements, and is not compared.
            for round in 0...rounds {
                for areHeld in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                    let ids = try ids(areHeld, index..<index + 1, round..<round + 1)
                    let (_, work) = scene.store.service.tracing { try? call.make(session, ids) }
                    if round > 0 { works[areHeld, default: []].append(work) }
                }
            }
            guard let held = Usual(works[true] ?? []), let free = Usual(works[false] ?? []), held.sql == free.sql else {
                different.append(call.name)
                continue
            }
            for (left, right) in zip(held.steps, free.steps) {
                largest = max(largest, abs(left.lowerBound - right.lowerBound), abs(left.upperBound - right.upperBound))
            }
        }
        try requireControl()
        let example = different.first.map { ", for example \($0)" } ?? ""
        return [
            Finding(
                "\(calls.count) calls, \(rounds) times each, about names in another user's private database, and about names that are "
                    + "nowhere",
                "\(different.count) with other statements\(example); they differ by at most \(largest) of SQLite's steps",
                isHeld: different.isEmpty && largest <= RecordWork.handful
            )
        ]
    }

    /// A record of one's own causes other work.
    private func requireControl() throws {
        let ids = [try RecordID("own record 12345"), try RecordID("free 99999999")]
        _ = try session.privateDatabase.save(RecordScene.record(ids[0], title: "mine"))
        let works = ids.map { id in scene.store.service.tracing { try? session.privateDatabase.fetch(id) }.1 }
        guard works[0] != works[1] else { throw ExperimentFailure("a record that is found causes the same work") }
    }

    /// The most frequent statements of several runs of a call. Sometimes a call also takes numbers for a thousand records.
    private struct Usual {
        let sql: [String]
        /// The fewest and the most steps of each statement.
        let steps: [ClosedRange<Int>]

        init?(_ works: [[WorkDone]]) {
            let groups = Dictionary(grouping: works) { $0.map(\.sql) }
            guard let most = groups.max(by: { $0.value.count < $1.value.count }),
                most.value.count * 10 >= works.count * 8,
                !most.key.isEmpty
            else { return nil }
            sql = most.key
            steps = most.key.indices.map { index in
                let counts = most.value.map { $0[index].steps }
                return (counts.min() ?? 0)...(counts.max() ?? 0)
            }
        }
    }
}
