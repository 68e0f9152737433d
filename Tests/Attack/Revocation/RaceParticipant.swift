import Kinfolk
import KinfolkThreads
import TestSupport

/// A process that takes part in the races. It revokes in every second race, and its threads search all the time.
struct RaceParticipant {
    static let part = "race"

    /// Threads that search, in each process.
    static let searchers = 2
    private static let processes = 2

    private let plan: RacePlan
    private let board: RaceBoard
    private let targets: [[Target]]
    private let cast: Cast
    /// Which of the processes this is, from 0.
    private let number: Int

    init(_ service: Service, _ plan: RacePlan, _ board: RaceBoard, number: Int) throws {
        self.plan = plan
        self.board = board
        self.number = number
        targets = try plan.targets(service)
        cast = try plan.cast(service)
    }

    /// The second process.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw ExperimentFailure("a plan and a board are needed") }
        let plan = try RacePlan(file: arguments[0])
        let board = try RaceBoard(file: arguments[1], races: plan.races)
        let service = try Service.open(plan.path, existingOnly: true)
        print(try RaceParticipant(service, plan, board, number: 1).run().line)
    }

    func run() throws -> RaceTally {
        let total = Lock(RaceTally())
        let (plan, board, targets, cast) = (plan, board, targets, cast)
        try onThreads(RaceParticipant.searchers + 1) { thread in
            do {
                if thread == 0 { return try race() }
                var searcher = Searcher(plan, board, targets, cast.seeker)
                let tally = try searcher.search()
                total.withLock { $0 = $0 + tally }
            } catch {
                // If a thread failed, the others must not wait for it.
                board.hasEnded = true
                throw error
            }
        }
        return total.withLock { $0 }
    }

    private func race() throws {
        let everybody = RaceParticipant.searchers * RaceParticipant.processes
        wait(seconds: 20) { board.ready == everybody }
        guard board.ready == everybody else { throw ExperimentFailure("some threads did not start") }
        for race in stride(from: number, to: plan.races, by: RaceParticipant.processes) {
            wait(seconds: 60) { board.turn == race }
            if board.hasEnded { return }
            try run(race)
            board.turn = race + 1
        }
        wait(seconds: 60) { board.turn == plan.races }
        board.hasEnded = true
    }

    private func run(_ race: Int) throws {
        let (way, target) = (plan.way(of: race), targets.target(of: race))
        board.setPreparing(race)
        try way.undo(target, cast)
        board.current = race
        // The race makes sense only once the person was found.
        wait(seconds: 0.05) { board.foundBefore(race) >= 2 }
        try way.vanish(target, cast)
        board.setReturned(race, Deadline.now)
        wait(seconds: 0.02) { board.askedAfter(race) >= 2 * RaceParticipant.searchers }
    }

    private func wait(seconds: Double, _ condition: () -> Bool) {
        let deadline = Deadline(in: seconds)
        while !condition(), !board.hasEnded, !deadline.hasPassed { Thread.sleep(seconds: 0.000_02) }
    }
}
