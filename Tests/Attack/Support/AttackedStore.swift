import Foundation
import Kinfolk
import KinfolkFiles
import KinfolkStorage
import TestSupport

/// The store of one experiment, with one container and a clock that the experiment moves.
final class AttackedStore: Sendable {
    static let wording = ConsentWording("May people who have your address find you here?", version: "2026-01")
    static let containerName = "com.example.notes"

    /// A limit that no experiment reaches, unless it is about limits.
    static let unlimited = PermitLimit(capacity: .max, perHour: 1_000_000)

    let folder: TemporaryFolder
    let clock: MovableClock
    let service: Service
    let container: Container

    init() throws {
        folder = try TemporaryFolder()
        clock = MovableClock()
        service = try AttackedStore.open(folder.file("kinfolk.db"), clock)
        container = try service.createContainer(AttackedStore.containerName)
    }

    var path: String { folder.file("kinfolk.db") }

    /// The same store, opened again as another process would: with separate connections, caches and permits.
    func reopened() throws -> Service { try AttackedStore.open(path, clock) }

    private static func open(_ path: String, _ clock: MovableClock) throws -> Service {
        try Service(path: FilePath(path), key: .besideStore, existingOnly: false, wait: 60) { clock.now }
    }

    func account(_ person: InventedPerson) throws -> Account {
        let name = PersonName(givenName: person.givenName, familyName: person.familyName)
        return try service.createAccount(name: name, emails: [person.address], verified: true)
    }

    /// Signs a new account in.
    func session(_ person: InventedPerson, in container: Container? = nil) throws -> Session {
        try (container ?? self.container).session(for: account(person))
    }

    /// Signs a new account in, and makes it discoverable.
    func discoverable(_ person: InventedPerson, in container: Container? = nil) throws -> Session {
        let session = try session(person, in: container)
        try session.setDiscoverability(.granted, wording: AttackedStore.wording)
        return session
    }

    /// Makes the accounts of many people at once, signed in to the container.
    func importPeople(_ numbers: Range<Int>, consent: (Int) -> Bool) throws {
        var file = "given_name,family_name,email,consent\n"
        for number in numbers {
            let person = InventedPerson(number)
            let addresses = number.isMultiple(of: 3) ? "\(person.address) ::: \(person.otherAddress)" : person.address
            file += "\(person.givenName),\(person.familyName),\(addresses),\(consent(number) ? "yes" : "no")\n"
        }
        let source = try TemporaryFolder()
        try file.write(toFile: source.file("people.csv"), atomically: false, encoding: .utf8)
        let report = try service.importPeople(
            fromFile: source.file("people.csv"),
            into: container,
            wording: AttackedStore.wording
        )
        guard report.created == numbers.count else { throw ExperimentFailure("some people were not imported") }
    }

    func account(of session: Session) throws -> Account {
        guard let id = session.account else { throw ExperimentFailure("a session has no account") }
        return try service.account(id)
    }
}
