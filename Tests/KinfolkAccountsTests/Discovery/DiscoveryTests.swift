import Foundation
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct DiscoveryTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    @Test func aPersonIsFoundByIDAndByEmail() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let id = try ada.userRecordID()
        for found in [try seeker.discover(id), try seeker.discover(EmailAddress("ADA@example.com"))] {
            #expect(found?.userRecordID == id)
            #expect(found?.name == PersonName(givenName: "Ada", familyName: "Example"))
            #expect(found?.contacts == [])
        }
    }

    @Test func aDiscoverablePersonFindsThemself() throws {
        let id = try seeker.userRecordID()
        #expect(try seeker.discover(id) == nil)
        #expect(try seeker.discover(EmailAddress("seeker@example.com")) == nil)
        try seeker.setDiscoverability(.granted, wording: TestService.wording)
        #expect(try seeker.discover(id)?.userRecordID == id)
        #expect(try seeker.discover(EmailAddress("seeker@example.com"))?.userRecordID == id)
    }

    @Test func resultsAreInTheOrderOfTheBookWithEachPersonOnce() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com", "ada@example.org")
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        let cleo = try store.discoverable("Cleo", emails: "cleo@example.com")
        var book = ContactBook()
        try book.add(email: "nobody@example.com", label: "Nobody")
        try book.add(email: "cleo@example.com", label: "Cleo C.")
        try book.add(email: "ada@example.org", label: "Ada at home")
        try book.add(email: "bob@example.com")
        try book.add(email: "Ada@Example.com", label: "Ada at work")
        try book.add(email: "cleo@example.com", label: "C.")

        let found = try seeker.discover(book).identities
        #expect(try found.map(\.userRecordID) == [cleo, ada, bob].map { try $0.userRecordID() })
        #expect(found.map(\.name.givenName) == ["Cleo", "Ada", "Bob"])
        #expect(found.map { $0.contacts.map(\.index) } == [[1, 5], [2, 4], [3]])
        #expect(found.map { $0.contacts.map(\.label) } == [["Cleo C.", "C."], ["Ada at home", "Ada at work"], [""]])
    }

    @Test func theCallerIsNotFoundInTheirOwnBook() throws {
        try seeker.setDiscoverability(.granted, wording: TestService.wording)
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let found = try seeker.discover(book("seeker@example.com", "ada@example.com")).identities
        #expect(found.map(\.name.givenName) == ["Ada"])
        #expect(found.first?.contacts.map(\.index) == [1])
    }

    @Test func hashesMadeElsewhereFindTheSamePeople() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        // printf ada@example.com | sha256sum
        let hash = try #require(ContactHash(hex: "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72"))
        var book = ContactBook()
        try book.add(hash: hash, label: "by hash")
        #expect(try seeker.discover(book).identities.first?.contacts.map(\.label) == ["by hash"])
    }

    @Test func eachLineOfATextIsAContact() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        var book = ContactBook()
        let result = try Array("nobody@example.com\nada@example.com\n".utf8).withUnsafeBytes {
            try book.add($0, as: .list)
        }
        #expect(result.added == 2)
        #expect(try seeker.discover(book).identities.first?.contacts.map(\.index) == [1])
    }

    @Test func anEmptyBookFindsNobodyAndCostsNothing() throws {
        #expect(try seeker.discover(ContactBook()).identities.isEmpty)
        #expect(try store.number("SELECT count(*) FROM limits") == 0)
    }

    @Test func allPeopleOfABookAreFoundInAnyOrder() throws {
        var emails: [String] = []
        for number in 0..<60 {
            let email = "person\(number)@example.com"
            emails.append(email)
            if number.isMultiple(of: 3) { _ = try store.discoverable("P\(number)", emails: email) }
        }
        for _ in 0..<10 {
            emails.shuffle()
            var book = ContactBook()
            for email in emails { try book.add(email: email) }
            let found = try seeker.discover(book).identities
            #expect(found.count == 20)
            #expect(found.allSatisfy { $0.contacts.count == 1 })
            let expected = emails.compactMap { email in email.firstMatch(of: /\d+/).map { String($0.output) } }
                .filter { (Int($0) ?? 1).isMultiple(of: 3) }.map { "P\($0)" }
            #expect(found.map(\.name.givenName) == expected)
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func strangersOfABookLeaveNoTrace() throws {
        let stranger = try EmailAddress("stranger@example.com")
        let hash = stranger.contactHash.withUnsafeBytes { Array($0) }
        _ = try seeker.discover(book("stranger@example.com"))
        _ = try seeker.discover(stranger)
        let files = try store.folder.allBytes()
        for trace in [Data("stranger".utf8), Data(hash), Data(hash.prefix(16)), Data(Hexadecimal.text(hash).utf8)] {
            #expect(files.range(of: trace) == nil)
        }
        #expect(try store.directoryRows() == [0, 0])
        #expect(try store.number("SELECT count(*) FROM limits") == 1)
    }

    @Test func aSearchReturnsIDsOfItsContainer() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let account = try store.account("Ada", emails: "ada@example.com")
        let sessions = [try store.container.session(for: account), try chat.session(for: account)]
        for session in sessions { try session.setDiscoverability(.granted, wording: TestService.wording) }
        let seekerThere = try store.session("Seeker", in: chat)
        let ada = try EmailAddress("ada@example.com")
        #expect(try seeker.discover(ada)?.userRecordID == sessions[0].userRecordID())
        #expect(try seekerThere.discover(ada)?.userRecordID == sessions[1].userRecordID())
        #expect(try seeker.discover(ada)?.userRecordID != seekerThere.discover(ada)?.userRecordID)
    }

    /// Each answer either has the complete person or not, and never after a revocation has returned.
    @Test func answersAreConsistentWhileConsentChanges() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let id = try ada.userRecordID()
        let seeker = seeker
        let book = try book("nobody@example.com", "ada@example.com")
        try store.container.setPermitLimit(.test(capacity: 1_000_000, perHour: 0))
        try onThreads(3) { number in
            for round in 0..<60 {
                if number == 0 {
                    let decision: Discoverability = round.isMultiple(of: 2) ? .denied : .granted
                    try ada.setDiscoverability(decision, wording: TestService.wording)
                    #expect(try (seeker.discover(id) != nil) == (decision == .granted))
                } else {
                    for found in try seeker.discover(book).identities {
                        #expect(found.userRecordID == id)
                        #expect(found.name.givenName == "Ada")
                    }
                }
            }
        }
    }
}
