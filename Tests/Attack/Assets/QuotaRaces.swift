import Kinfolk
import KinfolkModel
import KinfolkStorage
import KinfolkThreads
import TestSupport

/// Two accounts write assets and records from several services and a second process, while the stored bytes are compared with the quotas
/// all the time.
struct QuotaRaces {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    private static let limits: [(quota: Quota, bytes: Int)] = [
        (.user, 1_600_000), (.publicDatabase, 2_500_000), (.creator, 1_500_000),
    ]

    private struct State {
        var running = 4
        var tallies: [AssetWriter.Tally] = []
        var (samples, exceeded) = (0, 0)
        var (most, miscounted) = ([0, 0, 0], 0)
    }

    func findings() throws -> [Finding] {
        let scene = try AssetScene()
        let store = scene.store
        // The second process uses the system's clock.
        store.clock.set(.now)
        for (quota, bytes) in QuotaRaces.limits { try store.container.setQuota(quota, to: bytes) }
        let other = try store.account(InventedPerson(2))
        try store.container.session(for: other).privateDatabase.save(RecordZone(AssetScene.zone))
        let accounts = [scene.account.id, other.id]
        let second = try SecondProcess(AssetWriter.part, store.path, "\(accounts[0])", "\(rounds)", "5")
        let services = try (0..<4).map { _ in try store.reopened() }
        let writers = try services.enumerated().map { number, service in
            try AssetWriter(service, accounts[number % 2], seed: UInt64(number))
        }
        let state = Lock(State())
        let (service, rounds) = (store.service, rounds)
        try onThreads(5) { thread in
            guard thread < 4 else { return try QuotaRaces.watch(service, state) }
            defer { state.withLock { $0.running -= 1 } }
            let tally = try writers[thread].run(rounds)
            state.withLock { $0.tallies.append(tally) }
        }
        guard let line = try second.finish().last, let tally = AssetWriter.Tally(line: line) else {
            throw ExperimentFailure("the second process wrote nothing")
        }
        let result = state.withLock { $0 }
        let tallies = result.tallies + [tally]
        let (done, refused) = (tallies.reduce(0) { $0 + $1.done }, tallies.reduce(0) { $0 + $1.refused })
        let deletions = tallies.reduce(0) { $0 + $1.refusedDeletions }
        let failures = tallies.flatMap(\.failures)
        guard refused > 10, done > 10 else { throw ExperimentFailure("the quotas were not reached") }
        let findings = try store.service.check().findings.count
        // Uploads that no record names go after a day.
        store.clock.advance(hours: 25)
        while try store.service.read({ db in
            try db.first("SELECT count(*) FROM assets WHERE expires_at > 0") { $0.integer(0) } ?? 0
        }) > 0 {
            try AssetScene.clean(store.service)
        }
        let left = try AssetScene.bytes(store.service)
        let after = try store.service.check().findings.count
        return [
            Finding(
                "2 accounts upload, save, replace, cancel and delete in 4 services and a second process, \(rounds) times each; the stored "
                    + "bytes of a user, a creator and the public database compared with their quotas meanwhile",
                "\(done.grouped) calls done, \(refused.grouped) refused; exceeded in \(result.exceeded) of \(result.samples.grouped) samples, "
                    + "counted wrongly in \(result.miscounted); filled to \(result.most.map { "\($0)%" }.joined(separator: ", "))",
                isHeld: result.exceeded == 0 && result.miscounted == 0 && result.samples > 10
            ),
            Finding(
                "deletions among them, and other errors than quotaExceeded",
                "\(deletions) deletions refused, \(failures.count) other errors"
                    + (failures.first.map { ": \($0)" } ?? ""),
                isHeld: deletions == 0 && failures.isEmpty
            ),
            Finding(
                "the counts afterwards, and when uploads without a record have expired",
                "\(findings) and \(after) findings of the check; \(left.counted - left.stored) bytes too many counted",
                isHeld: findings == 0 && after == 0 && left.counted == left.stored
            ),
        ]
    }

    /// Compares what is stored with the limits, in snapshots.
    private static func watch(_ service: Service, _ state: Lock<State>) throws {
        while state.withLock({ $0.running > 0 }) {
            let (stored, counted) = try service.read { db in
                func number(_ sql: StaticString) throws -> Int { try db.first(sql) { Int($0.integer(0)) } ?? 0 }
                let ofUsers = try number(
                    """
                    SELECT CAST(coalesce(max(b), 0) AS BIGINT) FROM (SELECT sum(b) AS b FROM (
                        SELECT owner, length(sealed_fields) AS b FROM records WHERE length(owner) > 0
                        UNION ALL SELECT owner, bytes AS b FROM assets WHERE length(owner) > 0) AS x GROUP BY owner) AS y
                    """
                )
                let ofPublic = try number(
                    """
                    SELECT CAST(coalesce(sum(b), 0) AS BIGINT) FROM (
                        SELECT length(sealed_fields) AS b FROM records WHERE length(owner) = 0
                        UNION ALL SELECT bytes AS b FROM assets WHERE length(owner) = 0) AS x
                    """
                )
                let ofCreators = try number(
                    """
                    SELECT CAST(coalesce(max(b), 0) AS BIGINT) FROM (
                        SELECT sum(bytes) AS b FROM record_bytes WHERE kind = 1 GROUP BY owner) AS x
                    """
                )
                let counted = try number(
                    "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM record_bytes WHERE kind = 0 AND length(owner) = 0"
                )
                return ([ofUsers, ofPublic, ofCreators], counted)
            }
            state.withLock { state in
                state.samples += 1
                if counted != stored[1] { state.miscounted += 1 }
                for (index, limit) in limits.enumerated() {
                    if stored[index] > limit.bytes { state.exceeded += 1 }
                    state.most[index] = max(state.most[index], stored[index] * 100 / limit.bytes)
                }
            }
            Thread.sleep(seconds: 0.001)
        }
    }
}
