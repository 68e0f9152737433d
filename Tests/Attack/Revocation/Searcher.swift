import Kinfolk
import KinfolkThreads

/// Searches repeatedly for the person of the current race, by every kind of input.
struct Searcher {
    private let plan: RacePlan
    private let board: RaceBoard
    private let targets: [[Target]]
    private let seeker: Session

    /// A discovery, running or finished.
    private struct Event {
        let start: UInt64
        let end: UInt64
        let wasFound: Bool
    }

    private var tally = RaceTally()
    private var events: [Event] = []
    private var race: Int?
    /// A book that was paid for once is free, so no write delays the discovery.
    private var syncState: [UInt8] = []
    private var turn = 0

    init(_ plan: RacePlan, _ board: RaceBoard, _ targets: [[Target]], _ seeker: Session) {
        self.plan = plan
        self.board = board
        self.targets = targets
        self.seeker = seeker
    }

    /// Searches until the races end.
    mutating func search() throws -> RaceTally {
        board.addReady()
        while !board.hasEnded {
            guard let current = board.current else {
                Thread.sleep(seconds: 0.000_1)
                continue
            }
            if current != race { try begin(current) }
            try ask(current)
        }
        judge()
        return tally
    }

    private mutating func begin(_ next: Int) throws {
        judge()
        race = next
        syncState = []
    }

    private mutating func ask(_ race: Int) throws {
        let target = targets.target(of: race)
        turn += 1
        let start = Deadline.now
        let wasFound = try find(target, byAddressOnly: plan.way(of: race).leavesRecordID)
        let end = Deadline.now
        let returned = board.returned(race)
        if returned == 0 && wasFound { board.addFoundBefore(race) }
        if returned != 0 && start > returned { board.addAskedAfter(race) }
        events.append(Event(start: start, end: end, wasFound: wasFound))
    }

    private mutating func find(_ target: Target, byAddressOnly: Bool) throws -> Bool {
        switch turn % (byAddressOnly ? 2 : 3) {
        case 0: return try seeker.discover(target.email)?.userRecordID == target.record
        case 1:
            let discovery = try seeker.discover(target.book, syncState: syncState)
            syncState = discovery.syncState
            return discovery.identities.contains { $0.userRecordID == target.record }
        default: return try seeker.discover(target.record) != nil
        }
    }

    /// Judges a finished race. Its times are now on the board.
    private mutating func judge() {
        defer { events.removeAll(keepingCapacity: true) }
        guard let race, case let returned = board.returned(race), returned != 0 else { return }
        let next = plan.next(after: race)
        for event in events {
            tally.discoveries += 1
            if event.start > returned {
                // If this thread was delayed for long, the discovery may belong to the person's next race.
                if let next, case let preparing = board.preparing(next), preparing != 0, preparing <= event.end {
                    continue
                }
                tally.begunAfter += 1
                if event.start < returned + 100_000 { tally.begunAtOnce += 1 }
                if event.wasFound {
                    tally.broken += 1
                    tally.brokenWays.insert(plan.way(of: race).rawValue)
                }
            } else if event.end > returned {
                tally.inFlight += 1
            } else if event.wasFound {
                tally.foundBefore += 1
            }
        }
    }
}
