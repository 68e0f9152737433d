import KinfolkStorage
import ServiceSupport
import Testing

@testable import Kinfolk

@Suite struct BlockTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private let carol: Session

    init() throws {
        store = try TestService()
        ada = try store.discoverable("Ada", emails: "ada@example.com")
        bob = try store.discoverable("Bob", emails: "bob@example.com", "bob@example.org")
        carol = try store.discoverable("Carol", emails: "carol@example.com")
    }

    /// Whether one finds the other: by ID, by address, by contact book. All three must agree.
    private func finds(_ one: Session, _ other: Session) throws -> Bool {
        let id = try other.userRecordID()
        let address = try #require(try store.account(of: other).emails().first).spelling
        let answers = [
            try one.discover(id) != nil,
            try one.discover(EmailAddress(address)) != nil,
            try one.discover(book("nobody@example.com", address)).identities.map(\.userRecordID) == [id],
        ]
        #expect(Set(answers).count == 1)
        return answers[0]
    }

    @Test func neitherPersonFindsTheOtherUntilTheBlockIsEnded() throws {
        #expect(try finds(ada, bob) && finds(bob, ada))
        try ada.block(bob.userRecordID())
        #expect(try !finds(ada, bob) && !finds(bob, ada))
        #expect(try finds(ada, carol) && finds(carol, bob))
        try ada.unblock(bob.userRecordID())
        #expect(try finds(ada, bob) && finds(bob, ada))
    }

    @Test func onlyBlockedPeopleAreMissingFromABook() throws {
        try bob.block(ada.userRecordID())
        let found = try ada.discover(book("bob@example.com", "carol@example.com", "bob@example.org"))
        #expect(found.identities.map(\.name.givenName) == ["Carol"])
        #expect(found.identities.first?.contacts.map(\.index) == [1])
    }

    @Test func aPersonCanEndOnlyTheirOwnBlock() throws {
        try ada.block(bob.userRecordID())
        try bob.block(ada.userRecordID())
        try bob.unblock(ada.userRecordID())
        #expect(try !finds(ada, bob) && !finds(bob, ada))
        try ada.unblock(bob.userRecordID())
        #expect(try finds(ada, bob))
    }

    @Test func theListHasOnlyThePersonsOwnBlocks() throws {
        try ada.block(bob.userRecordID())
        try ada.block(bob.userRecordID())
        try carol.block(ada.userRecordID())
        try store.container.block(ada.userRecordID(), from: carol.userRecordID())
        #expect(try ada.blockedUserRecordIDs() == [bob.userRecordID()])
        #expect(try bob.blockedUserRecordIDs().isEmpty)
        try ada.unblock(carol.userRecordID())
        #expect(try !finds(ada, carol))
    }

    @Test func neitherPersonCanSeeOrEndTheOperatorsBlock() throws {
        try store.container.block(ada.userRecordID(), from: bob.userRecordID())
        #expect(try !finds(ada, bob) && !finds(bob, ada))
        for (one, other) in [(ada, bob), (bob, ada)] {
            #expect(try one.blockedUserRecordIDs().isEmpty)
            try one.unblock(other.userRecordID())
            try one.block(other.userRecordID())
            try one.unblock(other.userRecordID())
            #expect(try !store.account(of: one).export().contains(other.userRecordID().description))
        }
        #expect(try !finds(ada, bob) && !finds(bob, ada))
        try store.container.unblock(ada.userRecordID(), from: bob.userRecordID())
        #expect(try finds(ada, bob) && finds(bob, ada))
    }

    @Test func endingTheOperatorsBlockKeepsThePersonsBlock() throws {
        try ada.block(bob.userRecordID())
        try store.container.block(bob.userRecordID(), from: ada.userRecordID())
        try store.container.unblock(ada.userRecordID(), from: bob.userRecordID())
        #expect(try !finds(ada, bob))
        #expect(try ada.blockedUserRecordIDs() == [bob.userRecordID()])
    }

    @Test func aBlockIsValidOnlyInItsContainer() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let sessions = try [ada, bob].map { try chat.session(for: store.account(of: $0)) }
        for session in sessions { try session.setDiscoverability(.granted, wording: TestService.wording) }
        try ada.block(bob.userRecordID())
        #expect(try finds(sessions[0], sessions[1]))
    }

    @Test(arguments: [1, 2, 3, 100]) func theOperatorsBlocksAreListedInPages(_ limit: Int) throws {
        let (ada, bob, carol) = (try ada.userRecordID(), try bob.userRecordID(), try carol.userRecordID())
        let expected = [(ada, carol), (bob, carol), (ada, bob)].map(OperatorBlock.init)
        for block in expected { try store.container.block(block.userRecordID, from: block.otherUserRecordID) }
        // A block that a person made is not listed.
        try self.ada.block(bob)
        var listed: [OperatorBlock] = []
        while case let page = try store.container.operatorBlocks(after: listed.last, limit: limit), !page.isEmpty {
            #expect(page.count <= limit)
            listed += page
        }
        #expect(listed.count == 3)
        #expect(Set(listed) == Set(expected))
    }

    @Test func recordsCanStillBeFetchedAfterABlock() throws {
        try ada.block(bob.userRecordID())
        _ = try bob.fetchUserRecord(ada.userRecordID())
        _ = try ada.fetchUserRecord(bob.userRecordID())
    }

    @Test func anUnknownIDCanBeBlockedAndOnesOwnIDCannot() throws {
        let nobody = try UserRecordID("_" + String(repeating: "1", count: 32))
        try ada.block(nobody)
        #expect(try ada.blockedUserRecordIDs() == [nobody])
        expect(.invalidArgument) { try ada.block(ada.userRecordID()) }
        expect(.invalidArgument) { try store.container.block(ada.userRecordID(), from: ada.userRecordID()) }
    }

    @Test func blockingNeedsAnAccountInGoodStanding() throws {
        let id = try bob.userRecordID()
        let anonymous = store.container.anonymousSession()
        expect(.notAuthenticated) { try anonymous.block(id) }
        expect(.notAuthenticated) { try anonymous.blockedUserRecordIDs() }
        try store.account(of: ada).suspend()
        expect(.notAuthenticated) { try ada.block(id) }
        expect(.notAuthenticated) { try ada.unblock(id) }
        #expect(try ada.blockedUserRecordIDs().isEmpty)
    }

    @Test func theNumberOfBlocksIsLimited() throws {
        let (container, record) = (store.container.number, try ada.userRecordID())
        try store.service.write { db in
            try store.service.changing(#require(ada.account), db) { rows in
                for number in 0..<1_000 {
                    let digits = String(number)
                    let id = try UserRecordID("_" + String(repeating: "0", count: 32 - digits.count) + digits)
                    try BlockTable.insert(id, by: record, isOperators: false, in: container, db)
                }
                try rows.reload(db)
            }
        }
        expect(.limitExceeded) { try ada.block(bob.userRecordID()) }
        try ada.block(UserRecordID("_" + String(repeating: "0", count: 32)))
        #expect(try ada.discover(EmailAddress("bob@example.com")) != nil)
    }

    @Test func anErasureDeletesTheBlocksOfBothSides() throws {
        try ada.block(bob.userRecordID())
        try carol.block(bob.userRecordID())
        try store.container.block(bob.userRecordID(), from: ada.userRecordID())
        _ = try store.account(of: bob).erase()
        #expect(try store.number("SELECT count(*) FROM blocks") == 0)
    }
}
