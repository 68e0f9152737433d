import Kinfolk
import KinfolkStorage
import ServiceSupport
import Testing

/// A person who may not be found cannot be distinguished from an unknown one, either by the answer or by the work for it.
@Suite struct IndistinguishabilityTests {
    private let store: TestService
    private let seeker: Session
    private let seekersAccount: Account

    init() throws {
        // There is a filter, but it is not used for so few contacts.
        store = try TestService(filteredFrom: 1)
        seekersAccount = try store.account("Seeker", emails: "seeker@example.com")
        seeker = try store.container.session(for: seekersAccount)
        try warmUp()
    }

    /// Connections, keys and statements are ready, and the seeker's standing is cached. After these look-ups, permits for the next
    /// dozen are in memory. When more are leased depends on how often the seeker searches, not on the person searched for.
    private func warmUp() throws {
        for _ in 0..<35 { _ = try seeker.discover(EmailAddress("warm@example.com")) }
        _ = try seeker.discover(book("warmer@example.com"))
        _ = try seeker.discover(seeker.userRecordID())
    }

    /// People whom nobody may find in the container, each with an address, and with a user record ID if there is one.
    private func hidden() throws -> [(case: String, email: String, id: UserRecordID)] {
        let chat = try store.service.createContainer("com.example.chat")
        var people: [(String, String, UserRecordID)] = []

        let unknown = try UserRecordID("_" + String(repeating: "5", count: 32))
        people.append(("unknown", "unknown@example.com", unknown))

        let undetermined = try store.session(emails: "undetermined@example.com")
        people.append(("never asked", "undetermined@example.com", try undetermined.userRecordID()))

        let denied = try store.session(emails: "denied@example.com")
        try denied.setDiscoverability(.denied, wording: TestService.wording)
        people.append(("denied", "denied@example.com", try denied.userRecordID()))

        let revoked = try store.discoverable(emails: "revoked@example.com")
        try revoked.setDiscoverability(.denied, wording: TestService.wording)
        people.append(("revoked", "revoked@example.com", try revoked.userRecordID()))

        let suspended = try store.discoverable(emails: "suspended@example.com")
        try store.account(of: suspended).suspend()
        people.append(("suspended", "suspended@example.com", try suspended.userRecordID()))

        let erased = try store.discoverable(emails: "erased@example.com")
        let erasedID = try erased.userRecordID()
        _ = try store.account(of: erased).erase()
        people.append(("erased", "erased@example.com", erasedID))

        _ = try store.account(emails: "nowhere@example.com")
        people.append(("in no container", "nowhere@example.com", unknown))

        let elsewhere = try store.discoverable(emails: "elsewhere@example.com", in: chat)
        people.append(("in another container", "elsewhere@example.com", try elsewhere.userRecordID()))

        people.append(("oneself", "seeker@example.com", try seeker.userRecordID()))
        try warmUp()
        return people
    }

    @Test func hiddenPeopleLookAlikeByID() throws {
        var works: [[WorkDone]: [String]] = [:]
        for person in try hidden() {
            let (found, work) = try store.service.tracing { try seeker.discover(person.id) }
            #expect(found == nil, "\(person.case)")
            works[work, default: []].append(person.case)
        }
        expectOne(works)
    }

    @Test func hiddenPeopleLookAlikeByEmail() throws {
        var people = try hidden().map { ($0.case, $0.email) }
        try store.account(of: store.discoverable()).addEmail("unverified@example.com")
        people.append(("not verified", "unverified@example.com"))
        let shy = try store.discoverable(emails: "shy@example.com", "open@example.com")
        try store.account(of: shy).setEmailDiscoverable(EmailAddress("shy@example.com"), false)
        people.append(("hides the address", "shy@example.com"))
        try warmUp()

        var works: [[WorkDone]: [String]] = [:]
        for (name, email) in people {
            let address = try EmailAddress(email)
            let (found, work) = try store.service.tracing { try seeker.discover(address) }
            #expect(found == nil, "\(name)")
            works[work, default: []].append(name)
        }
        #expect(Set(works.keys.map { $0.map(\.sql) }).count == 1)
        // A tag after the last one of the directory would read no row, for any kind of person.
        let steps = works.keys.map { $0.reduce(0) { $0 + $1.steps } }
        #expect((steps.max() ?? 0) - (steps.min() ?? 0) <= 10, "\(works)")
    }

    @Test func hiddenPeopleLookAlikeInAContactBook() throws {
        var works: [[WorkDone]: [String]] = [:]
        var lengths: Set<Int> = []
        for person in try hidden() {
            let book = try book(person.email)
            let (found, work) = try store.service.tracing { try seeker.discover(book) }
            #expect(found.identities.isEmpty, "\(person.case)")
            lengths.insert(found.syncState.count)
            works[work, default: []].append(person.case)
        }
        expectOne(works)
        #expect(lengths.count == 1)
    }

    @Test func manyHiddenPeopleLookAlikeInOneBook() throws {
        let hidden = try hidden()
        var (strangers, others) = (ContactBook(), ContactBook())
        for (number, person) in hidden.enumerated() {
            try strangers.add(email: "stranger\(number)@example.com")
            try others.add(email: person.email)
        }
        let (found, work) = try store.service.tracing { try seeker.discover(others) }
        let (none, workForNone) = try store.service.tracing { try seeker.discover(strangers) }
        #expect(found.identities.isEmpty && none.identities.isEmpty)
        #expect(work == workForNone)
        #expect(found.syncState.count == none.syncState.count)
    }

    /// During a rotation there are two keys to search with, and a blocked person has a row under one of them.
    @Test func blockedPeopleLookAlikeDuringAKeyRotation() throws {
        let blocked = try store.discoverable("Blocked", emails: "blocked@example.com")
        try seeker.block(blocked.userRecordID())
        _ = try store.service.beginRotation(to: nil)
        for _ in 0..<2 {
            // The first search unseals the keys.
            let works = try ["warm", "stranger", "blocked"].map { name in
                let address = try EmailAddress("\(name)@example.com")
                let (found, work) = try store.service.tracing { try seeker.discover(address) }
                #expect(found == nil)
                return work.map(\.sql)
            }
            #expect(works[2] == works[1])
            _ = try store.service.rotateBatch()
        }
    }

    /// If all hidden people were looked up under the same ID, its row would be in the processor's cache, and answers would be faster.
    @Test func eachHiddenPersonIsLookedUpUnderADifferentID() {
        let ids = (0..<100).map { _ in RandomID.make() }
        let places = Set(ids.map(\.opposite))
        #expect(places.count == ids.count)
        #expect(places.isDisjoint(with: ids))
    }

    /// The measurement itself works: a person who is found causes more work, which it detects.
    @Test func aPersonWhoIsFoundCausesDifferentWork() throws {
        let ada = try store.discoverable(emails: "ada@example.com")
        let id = try ada.userRecordID()
        try warmUp()
        let (_, hit) = try store.service.tracing { try seeker.discover(id) }
        let (_, miss) = try store.service.tracing {
            try seeker.discover(UserRecordID("_" + String(repeating: "5", count: 32)))
        }
        #expect(hit != miss)
        #expect(hit.map(\.sql) == miss.map(\.sql))
    }

    private func expectOne(_ works: [[WorkDone]: [String]], _ location: SourceLocation = #_sourceLocation) {
        #expect(works.count == 1, "\(works)", sourceLocation: location)
        #expect(works.keys.first?.isEmpty == false, sourceLocation: location)
    }
}
