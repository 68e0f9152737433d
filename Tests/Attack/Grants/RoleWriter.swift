import Kinfolk
import KinfolkThreads

/// Writes through a role as long as the races go on, in one process.
struct RoleWriter: Sendable {
    static let part = "role"

    struct Tally: Sendable {
        /// Writes that succeeded before the revocation returned, as they should.
        var before = 0
        /// Writes that began after it.
        var after = 0
        /// Of these, the ones that succeeded: the promise is broken.
        var broken = 0

        var line: String { "\(before) \(after) \(broken)" }

        init() {}

        init?(line: String) {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            (before, after, broken) = (numbers[0], numbers[1], numbers[2])
        }

        static func + (left: Tally, right: Tally) -> Tally {
            var sum = left
            sum.before += right.before
            sum.after += right.after
            sum.broken += right.broken
            return sum
        }
    }

    private let database: Database
    private let record: RecordID
    private let board: RaceBoard

    init(_ service: Service, _ account: AccountID, _ record: String, _ board: RaceBoard) throws {
        let container = try service.container(AttackedStore.containerName)
        database = try container.session(for: service.account(account)).publicDatabase
        self.record = try RecordID(record)
        self.board = board
    }

    /// The second process.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 5, let races = Int(arguments[4]) else {
            throw ExperimentFailure("arguments are missing")
        }
        let board = try RaceBoard(file: arguments[3], races: races)
        defer { board.hasEnded = true }
        let service = try Service.open(arguments[0], existingOnly: true)
        print(try RoleWriter(service, AccountID(arguments[1]), arguments[2], board).run().line)
    }

    func run() throws -> Tally {
        var tally = Tally()
        var turn = 0
        board.addReady()
        while !board.hasEnded {
            guard let race = board.current else {
                Thread.sleep(seconds: 0.000_1)
                continue
            }
            turn += 1
            let start = Deadline.now
            let hasWritten = try write(turn)
            let returned = board.returned(race)
            // If this thread was delayed, the write may belong to the next race.
            let isOver = race + 1 < board.races && board.preparing(race + 1) != 0
            if returned == 0 || start <= returned {
                guard hasWritten, returned == 0 else { continue }
                tally.before += 1
                board.addFoundBefore(race)
            } else if !isOver {
                tally.after += 1
                board.addAskedAfter(race)
                if hasWritten { tally.broken += 1 }
            }
        }
        return tally
    }

    /// Whether a write succeeds. The kinds of writes take turns.
    private func write(_ turn: Int) throws -> Bool {
        let forged = try RecordScene.record(record, title: RecordScene.forgery)
        let new = try RecordScene.record(title: RecordScene.forgery)
        switch turn % 4 {
        case 0: return (try? database.save(forged, policy: .allKeys)) != nil
        case 1: return (try? database.save(new)) != nil
        case 2: return try hasWritten([.forceReplace(forged), .create(new)], atomically: true)
        default: return try hasWritten([.forceDelete(record), .create(new)], atomically: false)
        }
    }

    /// Whether the record is deleted or the new one saved. Without the role, deleting it succeeds and changes nothing.
    private func hasWritten(_ operations: [RecordOperation], atomically: Bool) throws -> Bool {
        let results = try database.run(operations, atomically: atomically)
        return !results.deleted.isEmpty || results.contains { result in ((try? result.get()) ?? nil) != nil }
    }
}
