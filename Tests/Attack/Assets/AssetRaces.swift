import Kinfolk
import KinfolkModel
import KinfolkThreads
import TestSupport

/// Threads in two services read a public asset without a pause while it is replaced. A read that begins after the save returned must fail,
/// and no read gives wrong bytes.
struct AssetRaces {
    private let rounds: Int

    init(rounds: Int) { self.rounds = rounds }

    private struct State {
        var asset: Asset?
        var seed: UInt64 = 0
        /// When each asset was replaced.
        var replacedAt: [UInt64: UInt64] = [:]
        var isOver = false
        var reads = 0
        var (after, late, wrong) = (0, 0, 0)
        var failure: String?
    }

    private static let size = 1_500_000

    func finding() throws -> Finding {
        let scene = try AssetScene()
        let elsewhere = try scene.store.reopened()
        let sessions = [
            scene.store.container.anonymousSession(),
            try elsewhere.container(AttackedStore.containerName).anonymousSession(),
        ]
        let state = Lock(State())
        let (owner, rounds) = (scene.owner.publicDatabase, rounds)
        try onThreads(3) { thread in
            defer { state.withLock { $0.isOver = true } }
            guard thread > 0 else { return try AssetRaces.replace(owner, rounds, state) }
            AssetRaces.read(sessions[thread - 1].publicDatabase, state)
        }
        let (reads, after, late, wrong) = state.withLock { ($0.reads, $0.after, $0.late, $0.wrong) }
        let findings = try elsewhere.check().findings.count
        guard after > 0, reads > rounds else { throw ExperimentFailure("the readers have read too little") }
        return Finding(
            "\(rounds) times, an asset is replaced while two services read it without a pause",
            "\(reads.grouped) reads before, \(wrong) of wrong bytes; \(late) of \(after.grouped) begun afterwards succeeded; "
                + "\(findings) findings of the check",
            isHeld: late == 0 && wrong == 0 && findings == 0
        )
    }

    private static func replace(_ database: Database, _ rounds: Int, _ state: Lock<State>) throws {
        var record = try database.save(AssetScene.record([]))
        for round in 1...rounds {
            let seed = UInt64(round)
            let asset = try database.upload(AssetScene.content(size, seed: seed))
            try record.set("file", to: .asset(asset))
            record = try database.save(record)
            let (before, reads) = state.withLock { state in
                if round > 1 { state.replacedAt[seed - 1] = Deadline.now }
                let before = (state.after, state.reads)
                (state.asset, state.seed) = (asset, seed)
                return before
            }
            let deadline = Deadline(in: 60)
            while state.withLock({ $0.reads < reads + 4 || round > 1 && $0.after < before + 2 }), !deadline.hasPassed {
                Thread.sleep(seconds: 0.000_5)
            }
        }
    }

    private static func read(_ database: Database, _ state: Lock<State>) {
        var known: (asset: Asset, seed: UInt64, reader: AssetReader?, content: [UInt8])?
        var (turn, late) = (0, 0)
        while !state.withLock({ $0.isOver }) {
            let (asset, seed) = state.withLock { ($0.asset, $0.seed) }
            // The reader of the former asset is used a few times more.
            if let known, known.seed != seed { late += 1 }
            if let asset, known?.reader == nil || late > 3 {
                known = (asset, seed, try? database.reader(of: asset), AssetScene.content(size, seed: seed))
                late = 0
            }
            turn += 1
            guard let known, let reader = known.reader else {
                Thread.sleep(seconds: 0.000_5)
                continue
            }
            let offset = (turn * 370_111) % size
            let start = Deadline.now
            let bytes = try? reader.read(at: offset, count: 200_000)
            let expected = Array(known.content.dropFirst(offset).prefix(200_000))
            state.withLock { state in
                if let bytes, bytes != expected { state.wrong += 1 }
                if let replaced = state.replacedAt[known.seed], start > replaced {
                    state.after += 1
                    if bytes != nil { state.late += 1 }
                } else if bytes != nil {
                    state.reads += 1
                }
            }
        }
    }
}
