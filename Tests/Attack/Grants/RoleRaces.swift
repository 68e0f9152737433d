import Kinfolk
import KinfolkThreads
import TestSupport

/// Two processes write through a role without a pause, while it is given and taken again. A write that begins after the revocation
/// returned must fail.
struct RoleRaces {
    private let races: Int

    init(races: Int) { self.races = races }

    func finding() throws -> Finding {
        let scene = try RecordScene()
        let store = scene.store
        let record = try scene.owner.publicDatabase.save(RecordScene.record(title: RecordScene.secret))
        try store.container.applySchema(HiddenRecords.schema)
        let account = try store.account(InventedPerson(2))
        let boardFile = store.folder.file("board")
        let board = try RaceBoard(file: boardFile, races: races)
        let other = try SecondProcess(
            RoleWriter.part,
            store.path,
            "\(account.id)",
            record.id.name,
            boardFile,
            "\(races)"
        )
        let writer = try RoleWriter(Service.open(store.path), account.id, record.id.name, board)
        let own = Lock(RoleWriter.Tally())
        // The thread gets no store: it may release its objects late, and the store deletes its folder when released.
        let (container, races) = (store.container, races)
        try onThreads(2) { thread in
            defer { board.hasEnded = true }
            if thread == 0 {
                let tally = try writer.run()
                own.withLock { $0 = tally }
            } else {
                try race(races, container, account, board)
            }
        }
        guard let line = try other.finish().last, let others = RoleWriter.Tally(line: line) else {
            throw ExperimentFailure("the second process wrote nothing")
        }
        let mine = own.withLock { $0 }
        guard min(mine.before, mine.after, others.before, others.after) > 0 else {
            throw ExperimentFailure("a process has written nothing, or tried nothing without the role")
        }
        let sum = mine + others
        return Finding(
            "\(races) times, a role is given and revoked while 2 processes save, create and delete through it without a pause",
            "\(sum.before.grouped) writes before, \(sum.after.grouped) begun after the revocation returned: \(sum.broken) succeeded",
            isHeld: sum.broken == 0 && sum.after >= 2 * races
        )
    }

    private func race(_ races: Int, _ container: Container, _ account: Account, _ board: RaceBoard) throws {
        try wait("some writers did not start") { board.ready == 2 || board.hasEnded }
        for race in 0..<races {
            board.setPreparing(race)
            try container.grantRole(HiddenRecords.role, to: account)
            board.current = race
            try wait("a writer does not get the role") { board.foundBefore(race) >= 4 || board.hasEnded }
            try container.revokeRole(HiddenRecords.role, from: account)
            board.setReturned(race, Deadline.now)
            try wait("a writer does not try again") { board.askedAfter(race) >= 4 || board.hasEnded }
        }
    }

    private func wait(_ failure: String, _ condition: () -> Bool) throws {
        let deadline = Deadline(in: 60)
        while !condition() {
            guard !deadline.hasPassed else { throw ExperimentFailure(failure) }
            Thread.sleep(seconds: 0.000_1)
        }
    }
}
