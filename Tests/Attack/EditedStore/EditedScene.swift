import Foundation
import Kinfolk
import TestSupport

/// A store with two people who can be found, and one who searches for them.
struct EditedScene {
    struct Person {
        let session: Session
        let record: UserRecordID
        let address: EmailAddress
        let service: Service
        private let id: AccountID

        init(_ name: String, in store: AttackedStore) throws {
            let address = "\(name)@example.com"
            let account = try store.service.createAccount(
                name: PersonName(givenName: name),
                emails: [address],
                verified: true
            )
            session = try store.container.session(for: account)
            record = try session.userRecordID()
            self.address = try EmailAddress(address)
            id = account.id
            service = store.service
        }

        /// As an SQL literal.
        var account: String { "x'\(id)'" }
        var recordLiteral: String { "x'\(record.description.dropFirst())'" }

        func open() throws -> Account { try service.account(id) }

        func decide(_ decision: Discoverability) throws {
            try session.setDiscoverability(decision, wording: AttackedStore.wording)
        }

        func hideAddress() throws { try open().setEmailDiscoverable(address, false) }
    }

    let store: AttackedStore
    let ada, bob, eve: Person

    init() throws {
        store = try AttackedStore()
        ada = try Person("ada", in: store)
        bob = try Person("bob", in: store)
        eve = try Person("eve", in: store)
        for person in [ada, bob] { try person.decide(.granted) }
    }

    func run(_ sql: String) throws { try RawDatabase(store.path).run(sql) }

    /// Every answer about each person, under the name of the call.
    func answers() throws -> [String: String] {
        var answers: [String: String] = [:]
        func note(_ question: String, _ body: () throws -> String) {
            do {
                answers[question] = try body()
            } catch let error as KinfolkError {
                answers[question] = error.code == .storeCorrupt ? EditedScene.refused : "\(error.code)"
            } catch { answers[question] = "\(error)" }
        }
        func shown(_ identity: DiscoveredIdentity?) -> String {
            identity.map { "\($0.name.givenName) \($0.userRecordID)" } ?? EditedScene.nobody
        }
        for (name, person) in [("ada", ada), ("bob", bob)] {
            note("\(name) by ID") { try shown(eve.session.discover(person.record)) }
            note("\(name) by address") { try shown(eve.session.discover(person.address)) }
            note("\(name) by book") {
                var book = ContactBook()
                try book.add(email: "\(name)@example.com")
                return try shown(eve.session.discover(book).identities.first)
            }
            note("\(name)'s account by address") { try store.service.account(email: person.address).name().givenName }
            note("\(name)'s account by ID") {
                try store.container.account(of: person.record, reason: "A report").name().givenName
            }
            note("\(name)'s own ID") { try person.session.userRecordID().description }
            note("\(name)'s decision") { "\(try person.session.discoverability())" }
            note("\(name)'s addresses") { "\(try person.open().emails().map(\.shown))" }
            note("\(name)'s export") { try person.open().export() }
            note("\(name) signs in") {
                try store.container.session(for: person.open()).userRecordID().description
            }
        }
        // The look-ups of this test are in the export too. They are no part of the answer.
        for name in ["ada", "bob"] {
            answers["\(name)'s export"] = answers["\(name)'s export"].map(EditedScene.withoutLookUps)
        }
        return answers
    }

    static let refused = "storeCorrupt"
    static let nobody = "nobody"

    private static func withoutLookUps(_ export: String) -> String {
        guard let start = export.range(of: "\"looked_up_at\""),
            let end = export[start.upperBound...].firstIndex(of: "]")
        else { return export }
        return String(export[..<start.lowerBound] + export[end...])
    }
}
