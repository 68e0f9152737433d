import Kinfolk
import KinfolkThreads
import TestSupport

/// No discovery that begins after a person's revocation returned finds the person, in any process.
struct Revocation: Experiment {
    let name = "revocation"
    let promise = "revocation"

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        let plan = try RacePlan(races: length.choose(short: 2_000, long: 10_000), in: store)
        let (planFile, boardFile) = (store.folder.file("plan"), store.folder.file("board"))
        try plan.write(to: planFile)
        let board = try RaceBoard(file: boardFile, races: plan.races)
        let other = try SecondProcess(RaceParticipant.part, planFile, boardFile)
        // The second process goes by the system's clock, and so must this one.
        let service = try Service.open(store.path)
        let participant = try RaceParticipant(service, plan, board, number: 0)
        let results = Lock((own: RaceTally(), rotations: 0))
        // A thread may let go of what it has after the program has ended: not of the store, whose folder goes with it.
        let path = store.path
        try onThreads(2) { thread in
            if thread == 0 {
                let own = try participant.run()
                results.withLock { $0.own = own }
            } else {
                let rotations = try KeyTurner(service: Service.open(path)).turn { board.hasEnded }
                results.withLock { $0.rotations = rotations }
            }
        }
        guard let line = try other.finish().last, let others = RaceTally(line: line) else {
            throw ExperimentFailure("the second process said nothing")
        }
        let (own, rotations) = results.withLock { $0 }
        let tally = own + others
        let armed = (0..<plan.races).count { board.foundBefore($0) > 0 }
        let asked = (0..<plan.races).count { board.askedAfter($0) > 0 }
        guard armed * 10 >= plan.races * 9, asked * 10 >= plan.races * 9 else {
            throw ExperimentFailure("few races were any: \(armed) found before, \(asked) asked after")
        }
        return [
            Finding(
                "\(plan.races.grouped) races in 2 processes: denied, suspended, erased, blocks, is blocked, an address "
                    + "removed, hidden, taken; \(rotations) rotations of the keys meanwhile",
                "\(tally.discoveries.grouped) discoveries, \(tally.inFlight.grouped) in flight as the call returned, "
                    + "\(tally.begunAfter.grouped) begun after (\(tally.begunAtOnce.grouped) within 0.1 ms): "
                    + "\(tally.broken) found" + (tally.broken > 0 ? " (\(tally.brokenWays.sorted()))" : ""),
                isHeld: tally.broken == 0
            )
        ]
    }
}
