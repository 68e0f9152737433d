import Kinfolk
import KinfolkCrypto
import KinfolkThreads
import TestSupport

/// Private discovery never evaluates more points than were paid for with permits.
struct PrivatePermits: Experiment {
    let name = "private-permits"
    let promise = "private permits"

    /// The permits that each person has. No more accrue, because the clock stands still.
    static let limit = PermitLimit(capacity: 4_096, perHour: 0)

    private static var capacity: Int { Int(limit.capacity) }

    func run(_ length: Length) throws -> [Finding] {
        [
            try replayed(), try malformed(), try backAndForth(), try renewed(),
            try atOnce(rounds: length.choose(short: 2, long: 8)),
            try killed(deaths: length.choose(short: 20, long: 100)),
        ]
    }

    static func store() throws -> AttackedStore {
        let store = try AttackedStore()
        try store.container.setPermitLimit(limit)
        try store.container.setDirectoryModes(.private)
        return store
    }

    private func replayed() throws -> Finding {
        let store = try PrivatePermits.store()
        let session = try store.session(InventedPerson(0))
        let request = try PointRequest(epoch: 1).message
        let full = try session.permitsLeft()
        var costs: [Int] = []
        for round in 0..<4 {
            // Sent again by the same session, by another session, and by another process.
            let other = try store.reopened()
            let asker =
                round < 2
                ? session
                : try other.container(AttackedStore.containerName).session(
                    for: other.account(store.account(of: session).id)
                )
            let before = try asker.permitsLeft()
            _ = try asker.answer(request)
            costs.append(Int(try before - asker.permitsLeft()))
        }
        return Finding(
            "one request of 64 points, sent 4 times",
            "\(costs.map(String.init).joined(separator: ", ")) permits",
            isHeld: costs == [64, 64, 64, 64] && full == PrivatePermits.capacity
        )
    }

    private func malformed() throws -> Finding {
        let store = try PrivatePermits.store()
        let session = try store.session(InventedPerson(0))
        let before = try session.permitsLeft()
        let requests = try MalformedRequests.all()
        var answered: [String] = []
        for (name, request) in requests {
            do {
                _ = try session.answer(request)
                answered.append(name)
            } catch {
                guard error.code == .invalidArgument || error.code == .unknownItem else { throw error }
            }
        }
        let spent = try before - session.permitsLeft()
        // A refused request grants nothing in a later epoch either.
        _ = try store.container.renewPrivateKey()
        var asker = PointAsker()
        let evaluated = try asker.exhaust(session, epochs: [2])
        return Finding(
            "\(requests.count) malformed requests: no points, the identity, invalid encodings, cut off, too long, unknown epochs",
            answered.first.map { "answered: \($0)" }
                ?? "all refused, \(Int(spent)) permits; \(evaluated.grouped) points in the next epoch",
            isHeld: answered.isEmpty && spent == 0 && evaluated == PrivatePermits.capacity
        )
    }

    /// Several epochs answer at the same time. An attacker alternates between them, and forges receipts.
    private func backAndForth() throws -> Finding {
        let store = try PrivatePermits.store()
        let session = try store.session(InventedPerson(0))
        var asker = PointAsker()
        var generator = SeededGenerator(seed: 7)
        var (forged, refused) = (0, 0)
        for epoch in 1...4 as ClosedRange<UInt32> {
            if epoch > 1 { _ = try store.container.renewPrivateKey() }
            for _ in 0..<4 { try asker.ask(session, epoch: .random(in: 1...epoch, using: &generator), count: 256) }
            for paid in 1...4 as ClosedRange<UInt32> where paid != epoch && epoch > 1 {
                for request in ForgedRenewal.requests(from: paid, to: epoch) {
                    forged += 1
                    do { _ = try session.answer(request) } catch {
                        guard error.code == .permissionFailure || error.code == .unknownItem else { throw error }
                        refused += 1
                    }
                }
            }
        }
        try asker.exhaust(session, epochs: [4, 3, 2, 1, 4])
        let counts = (1...4).map { asker.evaluated[$0] ?? 0 }
        let total = counts.reduce(0, +)
        return Finding(
            "4 epochs that answer, in random order, and \(forged) renewals of points that were never paid for",
            counts.map(\.grouped).joined(separator: " + ")
                + " points; bound \(PrivatePermits.capacity.grouped) in all; "
                + "\(refused) renewals refused",
            isHeld: total == PrivatePermits.capacity && refused == forged
        )
    }

    /// A client pays in one epoch, and renews in three others without paying again.
    private func renewed() throws -> Finding {
        let store = try PrivatePermits.store()
        let session = try store.session(InventedPerson(0))
        var client = try LargeDirectory.client(0..<600)
        _ = try Conversation(&client, with: session)
        let paid = try PrivatePermits.capacity - Int(session.permitsLeft())
        var renewals = 0
        for _ in 2...4 {
            _ = try store.container.renewPrivateKey()
            client.begin()
            let seen = try Conversation(&client, with: session)
            renewals += seen.renewalCount
            guard seen.pointCount == 0 else {
                throw ExperimentFailure("a contact that was paid for was evaluated again")
            }
        }
        let spent = try PrivatePermits.capacity - Int(session.permitsLeft())
        return Finding(
            "a book of 600 in 4 epochs",
            "\(paid.grouped) permits in the first, \(spent - paid) in the others; \(renewals.grouped) points renewed",
            isHeld: spent == paid && renewals == 3 * paid
        )
    }

    /// Sessions of two services ask at the same moment, in two epochs.
    private func atOnce(rounds: Int) throws -> Finding {
        var (worst, least) = (0, Int.max)
        for round in 0..<rounds {
            let store = try PrivatePermits.store()
            let session = try store.session(InventedPerson(round))
            var paid = PointAsker()
            try paid.ask(session, epoch: 1, count: 1_024)
            _ = try store.container.renewPrivateKey()
            let account = try store.account(of: session).id
            let total = Lock(PointAsker())
            try onThreads(8) { number in
                let service = number < 4 ? store.service : try store.reopened()
                let session = try service.container(AttackedStore.containerName).session(for: service.account(account))
                var asker = PointAsker()
                try asker.exhaust(session, epochs: number.isMultiple(of: 2) ? [2] : [1, 2, 1])
                total.withLock { [asker] in $0.add(asker) }
            }
            let evaluated = total.withLock { $0.evaluated.values.reduce(0, +) } + paid.evaluated.values.reduce(0, +)
            worst = max(worst, evaluated)
            least = min(least, evaluated)
        }
        return Finding(
            "8 sessions of 2 services at once in 2 epochs, \(rounds) times",
            "at most \(worst.grouped), at least \(least.grouped); bound \(PrivatePermits.capacity.grouped)",
            isHeld: worst <= PrivatePermits.capacity && least >= PrivatePermits.capacity * 9 / 10
        )
    }

    /// Processes that are killed while they ask. Both epochs answer.
    private func killed(deaths: Int) throws -> Finding {
        let store = try PrivatePermits.store()
        let session = try store.session(InventedPerson(0))
        let account = try store.account(of: session).id
        _ = try store.container.renewPrivateKey()
        var evaluated: [String: Int] = [:]
        var killed = 0
        var generator = SeededGenerator(seed: 3)
        var answered = 1
        // Until a process gets no answer.
        while killed < deaths, answered > 0 || killed < 3 {
            let process = try SecondProcess(PointAsker.part, store.path, account.description)
            let patience = Int.random(in: 1..<12, using: &generator)
            answered = 0
            while answered < patience, let line = process.line(), line != "end" {
                evaluated[line, default: 0] += 64
                answered += 1
            }
            process.kill()
            killed += 1
            while let line = process.line(), line != "end" { evaluated[line, default: 0] += 64 }
        }
        let worst = evaluated.values.reduce(0, +)
        return Finding(
            "\(killed) processes, killed while they ask in 2 epochs",
            "\((evaluated["1"] ?? 0).grouped) and \((evaluated["2"] ?? 0).grouped) points; bound "
                + PrivatePermits.capacity.grouped + " in all",
            isHeld: worst <= PrivatePermits.capacity && worst > 0
        )
    }
}
