import Kinfolk
import KinfolkThreads
import TestSupport

/// After a person's revocation has returned, no new discovery finds the person, in any process.
struct Revocation: Experiment {
    let name = "revocation"
    let promise = "revocation"

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        let plan = try RacePlan(races: length.choose(short: 700, long: 10_000), in: store)
        let (planFile, boardFile) = (store.folder.file("plan"), store.folder.file("board"))
        try plan.write(to: planFile)
        let board = try RaceBoard(file: boardFile, races: plan.races)
        let other = try SecondProcess(RaceParticipant.part, planFile, boardFile)
        // The second process uses the system's clock, so this one must too.
        let service = try Service.open(store.path)
        let participant = try RaceParticipant(service, plan, board, number: 0)
        let results = Lock((own: RaceTally(), rotations: 0))
        // The threads get the path, not the store. A thread may release its objects late, and the store deletes its folder when released.
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
            throw ExperimentFailure("the second process wrote nothing")
        }
        let (own, rotations) = results.withLock { $0 }
        let tally = own + others
        let armed = (0..<plan.races).count { board.foundBefore($0) > 0 }
        let asked = (0..<plan.races).count { board.askedAfter($0) > 0 }
        guard armed * 10 >= plan.races * 9, asked * 10 >= plan.races * 9 else {
            throw ExperimentFailure(
                "too few races tested anything: in \(armed) the person was found before, in \(asked) searched for after"
            )
        }
        return [
            Finding(
                "\(plan.races.grouped) races in 2 processes: consent denied, account suspended or erased, a block by either person, "
                    + "address removed, hidden or transferred; \(rotations) key rotations meanwhile",
                "\(tally.discoveries.grouped) discoveries, \(tally.inFlight.grouped) in flight when the call returned, "
                    + "\(tally.begunAfter.grouped) begun after (\(tally.begunAtOnce.grouped) within 0.1 ms): "
                    + "\(tally.broken) found" + (tally.broken > 0 ? " (\(tally.brokenWays.sorted()))" : ""),
                isHeld: tally.broken == 0
            )
        ]
    }
}
