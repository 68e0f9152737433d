import Foundation
import Kinfolk

/// For each race, the person who is revoked, and how. All processes read the same plan from a file.
struct RacePlan: Sendable {
    /// The number of people who take turns in revocations that can be undone.
    private static let poolSize = 8

    let path: String
    let races: Int
    let seeker: AccountID
    let taker: AccountID
    /// For each kind of revocation, the people who take turns.
    private let pools: [[(account: AccountID, address: String)]]

    /// Makes the people.
    init(races: Int, in store: AttackedStore) throws {
        path = store.path
        self.races = races
        seeker = try store.account(InventedPerson(70_000)).id
        taker = try store.account(InventedPerson(70_001)).id
        var next = 71_000
        pools = try Vanishing.allCases.map { way in
            let size = way.isFinal ? races / Vanishing.allCases.count + 1 : RacePlan.poolSize
            return try (0..<size).map { _ in
                let person = InventedPerson(next)
                next += 1
                let session = try store.discoverable(person)
                return (try store.account(of: session).id, person.address)
            }
        }
    }

    func way(of race: Int) -> Vanishing { Vanishing.allCases[race % Vanishing.allCases.count] }

    /// The next race of the same person.
    func next(after race: Int) -> Int? {
        let next = race + Vanishing.allCases.count * RacePlan.poolSize
        return way(of: race).isFinal || next >= races ? nil : next
    }

    // MARK: In a file

    func write(to file: String) throws {
        var lines = ["\(path)", "\(races)", "\(seeker)", "\(taker)"]
        for pool in pools { lines.append(pool.map { "\($0.account) \($0.address)" }.joined(separator: ",")) }
        try lines.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
    }

    init(file: String) throws {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        guard lines.count == 4 + Vanishing.allCases.count, let races = Int(lines[1]) else {
            throw ExperimentFailure("the plan of the races is damaged")
        }
        path = String(lines[0])
        self.races = races
        seeker = try AccountID(String(lines[2]))
        taker = try AccountID(String(lines[3]))
        pools = try lines[4...].map { line in
            try line.split(separator: ",").map { entry in
                let parts = entry.split(separator: " ")
                return (try AccountID(String(parts[0])), String(parts[1]))
            }
        }
    }

    // MARK: In a process

    func cast(_ service: Service) throws -> Cast {
        let container = try service.container(AttackedStore.containerName)
        return Cast(
            seeker: try container.session(for: service.account(seeker)),
            taker: try service.account(taker)
        )
    }

    /// The targets of all races, each person once.
    func targets(_ service: Service) throws -> [[Target]] {
        let container = try service.container(AttackedStore.containerName)
        return try pools.map { pool in
            try pool.map { person in
                let account = try service.account(person.account)
                let session = try container.session(for: account)
                var book = ContactBook()
                try book.add(email: "stranger@example.org")
                try book.add(email: person.address)
                return Target(
                    account: account,
                    session: session,
                    record: try session.userRecordID(),
                    email: try EmailAddress(person.address),
                    book: book
                )
            }
        }
    }
}

extension [[Target]] {
    func target(of race: Int) -> Target {
        let pool = self[race % Vanishing.allCases.count]
        return pool[race / Vanishing.allCases.count % pool.count]
    }
}
