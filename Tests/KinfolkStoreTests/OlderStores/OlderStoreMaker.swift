import Foundation
import Kinfolk
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Makes a small store in which every table has rows.
struct OlderStoreMaker {
    struct Roster {
        var accounts: [String: String] = [:]
        var searches: [OlderStoreContent.Search] = []
        var codes: [OlderStoreContent.Code] = []
        var clientStates = OlderStoreContent.ClientStates(addresses: [], hashed: Data(), isPrivate: Data())
    }

    private static let notes = "com.example.notes"
    private static let chess = "com.example.chess"
    private static let question = "May people who have your address find you here?"

    let path: String
    /// The keys in the order of their use; nil if the key is in a file, which a rotation replaces.
    let keys: [KeySource]?
    let keyFile: String
    /// Whether the store stays in the middle of a second key rotation, with two epochs of keys.
    let isRotating: Bool
    let clock = TestClock()

    /// The values of Ada's public record: one of each type.
    static func values(friend: UserRecordID) throws -> [FieldValue] {
        let (place, day) = (try Location(latitude: 52.5, longitude: -13.25), Timestamp(microseconds: -1))
        return [
            .string("e\u{301}\u{0}日本語"), .int64(.min), .double(-0.0), .boolean(true), .bytes([0, 255]), .date(day),
            .location(place), .reference(friend), .stringList(["", "b"]), .int64List([1, .max]),
            .doubleList([.infinity, 1e300]), .booleanList([]), .bytesList([[1], []]), .dateList([day]),
            .locationList([place]), .referenceList([friend]),
        ]
    }

    private func open(_ number: Int = 0, existingOnly: Bool = true) throws -> Service {
        let (clock, key) = (clock, keys.map { $0[number] } ?? .file(keyFile))
        return try Service(path: FilePath(path), key: key, existingOnly: existingOnly, wait: 20) { clock.now }
    }

    /// - Returns: The people, and what a service tells that opens the store afterwards.
    func make() throws -> (Roster, OlderStoreObservation) {
        var roster = Roster()
        try fill(&roster, open(existingOnly: false))
        try addAfterRotation(&roster, open(1))
        if isRotating { _ = try open(1).beginRotation(to: keys?[2]) }
        // During a rotation, this leaves some rows under the newest keys and most under the older ones.
        try change(roster, open(isRotating ? 2 : 1))
        return (roster, try OlderStoreObservation(of: open(isRotating ? 2 : 1)))
    }

    private func join(
        _ roster: inout Roster,
        _ name: String,
        _ address: String,
        _ container: Container,
        _ decision: Discoverability?
    ) throws -> Session {
        let account = try container.service.createAccount(name: PersonName(givenName: name, familyName: "Example"))
        try account.addEmail(address, verified: true)
        roster.accounts[name] = account.id.description
        let session = try container.session(for: account)
        let wording = ConsentWording(OlderStoreMaker.question, version: "2026-01")
        if let decision { try session.setDiscoverability(decision, wording: wording) }
        return session
    }

    private func account(of session: Session) throws -> Account {
        try session.container.service.account(#require(session.account))
    }

    private func fill(_ roster: inout Roster, _ service: Service) throws {
        try service.setClaimWait(3 * 86_400)
        let notes = try service.createContainer(OlderStoreMaker.notes)
        let chess = try service.createContainer(OlderStoreMaker.chess)
        try notes.setPermitLimit(PermitLimit(capacity: 300, perHour: 2.5, unverifiedCapacity: 40))
        try notes.setPrivateWorkLimit(PrivateWorkLimit(multiplicationsPerDay: 70_000, rowsPerDay: 900_000))
        try notes.setFieldLimit(60)
        try notes.setDirectoryModes([.hashed, .private])

        let ada = try join(&roster, "Ada", "Ada@Example.com", notes, .granted)
        let grace = try join(&roster, "Grace", "grace@example.org", notes, .granted)
        let alan = try join(&roster, "Alan", "alan@example.com", notes, .granted)
        let mary = try join(&roster, "Mary", "mary@example.com", notes, .granted)
        let kurt = try join(&roster, "Kurt", "kurt@example.com", notes, .granted)
        let emmy = try join(&roster, "Emmy", "emmy@example.org", notes, .granted)
        let cleo = try join(&roster, "Cleo", "cleo@example.com", notes, .granted)
        clock.advance(seconds: 3_600)
        try mary.setDiscoverability(.denied, wording: ConsentWording("Still?", version: "2026-02"))
        try account(of: kurt).suspend()
        try account(of: ada).addEmail("ada@example.org", verified: true)
        try account(of: ada).setEmailDiscoverable(EmailAddress("ada@example.org"), false)
        let there = try chess.session(for: account(of: emmy))
        try there.setDiscoverability(.granted, wording: ConsentWording("Play?", version: "1"))
        _ = try chess.session(for: account(of: ada))

        try grace.block(alan.userRecordID())
        try notes.block(alan.userRecordID(), from: emmy.userRecordID())
        var record = try ada.fetchUserRecord()
        for value in try OlderStoreMaker.values(friend: grace.userRecordID()) {
            try record.set("f_\(value.type)", to: value)
        }
        _ = try ada.save(record)
        record = try ada.fetchUserRecord(in: .private)
        try record.set("diary", to: .string("Notes on the engine"))
        _ = try ada.save(record)
        record = try there.fetchUserRecord()
        try record.set("rating", to: .int64(1_900))
        _ = try there.save(record)

        _ = try notes.account(of: grace.userRecordID(), reason: "Ticket 12")
        _ = try notes.account(of: cleo.userRecordID(), reason: "Ticket 13")
        _ = try cleo.discover(book("nobody@example.com"))
        _ = try account(of: cleo).erase()
        roster.accounts["Cleo"] = nil
        let gone = try service.createContainer("com.example.gone")
        _ = try gone.session(for: account(of: ada))
        _ = try service.deleteContainer(gone.name)
        clock.advance(seconds: 3_600)
        _ = try service.rotateKeys(to: keys?[1])
    }

    private func addAfterRotation(_ roster: inout Roster, _ service: Service) throws {
        let notes = try service.container(OlderStoreMaker.notes)
        func account(_ name: String) throws -> Account {
            try service.account(AccountID(#require(roster.accounts[name])))
        }
        _ = try notes.announceNextPrivateKey()
        _ = try account("Grace").addEmail("ada@example.com", verified: true)
        let ada = try account("Ada")
        try ada.addEmail("ada@example.net")
        let mail = try #require(try ada.requestVerification(of: EmailAddress("ada@example.net")))
        roster.codes = [OlderStoreContent.Code(person: "Ada", address: "ada@example.net", code: mail.code)]
        let searches = [
            ("Ada", "grace@example.org", "Grace"), ("Ada", "alan@example.com", "Alan"),
            ("Ada", "emmy@example.org", "Emmy"), ("Ada", "mary@example.com", nil), ("Ada", "kurt@example.com", nil),
            ("Ada", "cleo@example.com", nil), ("Grace", "alan@example.com", nil), ("Alan", "grace@example.org", nil),
            ("Alan", "emmy@example.org", nil), ("Emmy", "alan@example.com", nil), ("Mary", "Ada@example.com", "Ada"),
            ("Emmy", "ada@example.org", nil), ("Emmy", "ada@example.net", nil),
        ]
        roster.searches = searches.map {
            OlderStoreContent.Search(container: notes.name, searcher: $0.0, address: $0.1, found: $0.2)
        }
        for (searcher, address, found) in [("Ada", "emmy@example.org", "Emmy"), ("Emmy", "ada@example.com", nil)] {
            roster.searches.append(
                OlderStoreContent.Search(
                    container: OlderStoreMaker.chess,
                    searcher: searcher,
                    address: address,
                    found: found
                )
            )
        }
        let contacts = ["grace@example.org", "alan@example.com", "nobody@example.com"]
        var book = ContactBook()
        for contact in contacts { try book.add(email: contact) }
        let session = try notes.session(for: ada)
        roster.clientStates = OlderStoreContent.ClientStates(
            addresses: contacts,
            hashed: Data(try session.discover(book).syncState),
            isPrivate: Data(try session.discoverPrivately(book, threads: 1).syncState)
        )
    }

    private func change(_ roster: Roster, _ service: Service) throws {
        let mary = try service.account(AccountID(#require(roster.accounts["Mary"])))
        try mary.setName(PersonName(givenName: "Mary", familyName: "Sample"))
        _ = try service.container(OlderStoreMaker.chess).session(for: mary)
    }
}
