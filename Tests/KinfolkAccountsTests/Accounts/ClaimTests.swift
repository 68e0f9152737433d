import Foundation
import Kinfolk
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@Suite struct ClaimTests {
    private static let hour = 3_600.0
    private static let day = 86_400.0

    private let store: TestService
    private let owner: Account
    private let claimant: Account
    private let ada: EmailAddress

    private var service: Service { store.service }

    init() throws {
        store = try TestService()
        ada = try EmailAddress("ada@example.com")
        owner = try store.account("Owner", emails: "Ada@example.com", "owner@example.com")
        try owner.addEmail("unverified@example.com")
        claimant = try ClaimTests.newcomer(store)
    }

    private static func newcomer(_ store: TestService) throws -> Account {
        let account = try store.service.createAccount()
        try account.addEmail("ada@example.com")
        return account
    }

    // MARK: Limits

    @Test func anAddressHasALimitedNumberOfClaims() throws {
        let claimants = try (0..<20).map { _ in try newcomer() }
        for claimant in claimants { try prove(claimant) }
        expect(.limitExceeded) { try claimant.addEmail("ada@example.com", verified: true) }
        expect(.limitExceeded) { try prove(claimant) }
        // Those that are there go on, and each that ends makes room.
        let claim = try #require(try prove(claimants[0]))
        #expect(try owner.claims().count == 20)
        _ = try service.dismissClaim(claim.id)
        expect(.limitExceeded) { try prove(claimant) }
        _ = try claimants[1].erase()
        #expect(try prove(claimant)?.state == .awaitingNotice)
    }

    @Test func anAccountHasALimitedNumberOfClaims() throws {
        let other = try store.account("Other", emails: "last@example.com", "more@example.com")
        var claims: [EmailClaim] = []
        for number in 0..<97 {
            try owner.addEmail("a\(number)@example.com", verified: true)
            claims += [try claimant.addEmail("a\(number)@example.com", verified: true)?.claim].compactMap(\.self)
        }
        try prove(claimant)
        for email in ["owner@example.com", "more@example.com"] { try claimant.addEmail(email, verified: true) }
        #expect(try claimant.claims().count == 100)
        // The claim stays when the address is removed, because it was dismissed.
        _ = try service.dismissClaim(claims[0].id)
        try claimant.removeEmail(EmailAddress("a0@example.com"))
        expect(.limitExceeded) { try claimant.addEmail("last@example.com", verified: true) }
        #expect(try other.claims().count == 1)
        try claimant.removeEmail(EmailAddress("a1@example.com"))
        #expect(try claimant.addEmail("last@example.com", verified: true)?.claim?.state == .awaitingNotice)
    }

    /// The rows of claims, however often the address goes to and fro.
    @Test func accountsThatTakeAnAddressFromEachOtherMakeNoListLonger() throws {
        var counts: [Int] = []
        var (holder, other) = (owner, claimant)
        for _ in 0..<12 {
            _ = try other.addEmail("ada@example.com", verified: true)
            let claim = try #require(try other.claims().first { $0.address.lowercased() == "ada@example.com" })
            _ = try service.acknowledgeNotice(of: claim.id)
            advance(days: 2)
            #expect(try other.addEmail("ada@example.com", verified: true) == .verified)
            counts.append(try store.number("SELECT count(*) FROM email_claims"))
            (holder, other) = (other, holder)
        }
        #expect(Set(counts) == [0])
    }

    private func newcomer() throws -> Account { try ClaimTests.newcomer(store) }

    private func holder() throws -> AccountID { try service.account(email: ada).id }

    @discardableResult
    private func prove(_ account: Account) throws -> EmailClaim? { try store.prove(account, ada).claim }

    /// A claim whose notice was mailed.
    private func claim(_ account: Account) throws -> EmailClaim {
        let claim = try #require(try prove(account))
        return try service.acknowledgeNotice(of: claim.id)
    }

    private func refuse() throws -> [EmailClaim] {
        let mail = try store.mailOutsideOfBudget(owner, ada, for: .refuseClaim)
        return try owner.refuseClaims(on: ada, code: mail.code)
    }

    private func advance(days: Double) { store.clock.advance(seconds: days * ClaimTests.day) }

    // MARK: From the proof to the address

    @Test func aProofOfAnOwnedAddressOpensAClaimAndMovesNothing() throws {
        let claim = try #require(try prove(claimant))
        #expect(claim.state == .awaitingNotice)
        #expect(claim.address == "Ada@example.com")
        #expect(claim.notice == ["ada@example.com", "owner@example.com"], "all verified addresses of the owner")
        #expect(claim.owner == owner.id && claim.claimant == claimant.id)
        #expect(claim.openedAt == store.clock.now && claim.noticedAt == nil && claim.completableAt == nil)
        #expect(try holder() == owner.id)
        #expect(try claimant.emails().map(\.isVerified) == [false])
        #expect(try service.emailClaims() == [claim])
        #expect(try claimant.claims() == [claim] && owner.claims() == [claim])
    }

    @Test func withoutANoticeTheAddressNeverMoves() throws {
        let first = try #require(try prove(claimant))
        for _ in 0..<29 {
            advance(days: 1)
            let again = try #require(try prove(claimant))
            #expect(again.id == first.id && again.state == .awaitingNotice)
        }
        advance(days: 2)
        #expect(try prove(claimant)?.id != first.id, "it lapsed")
        #expect(try holder() == owner.id)
    }

    @Test func theAddressMovesAfterNoticeWaitAndSecondProof() throws {
        let claim = try claim(claimant)
        #expect(claim.state == .waiting)
        #expect(claim.noticedAt == store.clock.now)
        #expect(claim.completableAt == Timestamp(microseconds: store.clock.now.microseconds + 86_400_000_000))
        store.clock.advance(seconds: ClaimTests.day - 1)
        #expect(try prove(claimant)?.state == .waiting)
        #expect(try holder() == owner.id)
        store.clock.advance(seconds: 1)
        #expect(try service.emailClaims().map(\.state) == [.completable])
        #expect(try holder() == owner.id, "silence alone moves nothing")
        #expect(try prove(claimant) == nil)
        #expect(try holder() == claimant.id)
        #expect(try owner.emails().map(\.spelling) == ["owner@example.com", "unverified@example.com"])
        #expect(try service.emailClaims().isEmpty)
        #expect(try store.number("SELECT count(*) FROM email_claims") == 0)
    }

    @Test func theDirectoryFollowsTheAddress() throws {
        let there = try store.container.session(for: owner)
        try there.setDiscoverability(.granted, wording: TestService.wording)
        let seeker = try store.session("Seeker")
        let here = try store.container.session(for: claimant)
        try here.setDiscoverability(.granted, wording: TestService.wording)
        _ = try claim(claimant)
        advance(days: 1)
        #expect(try seeker.discover(ada)?.userRecordID == there.userRecordID())
        #expect(try prove(claimant) == nil)
        #expect(try seeker.discover(ada)?.userRecordID == here.userRecordID())
        #expect(try seeker.discover(EmailAddress("owner@example.com"))?.userRecordID == there.userRecordID())
    }

    @Test func aClaimIsCompletedWithinSevenDaysOrLapses() throws {
        let first = try claim(claimant)
        store.clock.advance(seconds: 8 * ClaimTests.day - 1)
        #expect(try service.emailClaims().map(\.state) == [.completable])
        store.clock.advance(seconds: 1)
        #expect(try service.emailClaims().isEmpty)
        #expect(try store.number("SELECT count(*) FROM email_claims") == 1)
        _ = try service.createAccount()
        #expect(try store.number("SELECT count(*) FROM email_claims") == 0, "gone with the daily work")
        let second = try #require(try prove(claimant))
        #expect(second.id != first.id && second.state == .awaitingNotice)
        #expect(try holder() == owner.id)
    }

    @Test func acknowledgingANoticeAgainChangesNothing() throws {
        let first = try claim(claimant)
        store.clock.advance(seconds: ClaimTests.hour)
        #expect(try service.acknowledgeNotice(of: first.id).noticedAt == first.noticedAt)
        expect(.unknownItem) { try service.acknowledgeNotice(of: ClaimID(.make())) }
    }

    @Test func theOperatorSetsTheWait() throws {
        #expect(try service.claimWait() == 86_400)
        try service.setClaimWait(2 * ClaimTests.hour)
        _ = try service.rotateKeys()
        #expect(try store.reopened().claimWait() == 7_200)
        _ = try claim(claimant)
        store.clock.advance(seconds: 2 * ClaimTests.hour - 1)
        #expect(try prove(claimant)?.state == .waiting)
        store.clock.advance(seconds: 1)
        #expect(try prove(claimant) == nil)
        for wait in [-1, .nan, .infinity, 31 * ClaimTests.day] {
            expect(.invalidArgument) { try service.setClaimWait(wait) }
        }
    }

    @Test func aNewCodeIsNeededForEachProof() throws {
        let mail = try store.mail(claimant, ada)
        let claim = try #require(try claimant.verifyEmail(ada, code: mail.code).claim)
        _ = try service.acknowledgeNotice(of: claim.id)
        try service.setClaimWait(0)
        expect(.unknownItem) { try claimant.verifyEmail(ada, code: mail.code) }
        #expect(try holder() == owner.id)
    }

    // MARK: The host's word

    @Test func verificationByTheHostOpensAClaimToo() throws {
        let other = try service.createAccount()
        let claim = try #require(try other.addEmail("ada@example.com", verified: true)?.claim)
        #expect(claim.state == .awaitingNotice)
        #expect(try other.emails().map(\.isVerified) == [false])
        _ = try service.acknowledgeNotice(of: claim.id)
        #expect(try other.addEmail("ada@example.com", verified: true)?.claim?.state == .waiting)
        #expect(try holder() == owner.id)
        advance(days: 1)
        #expect(try other.addEmail("ada@example.com", verified: true) == .verified)
        #expect(try holder() == other.id)
    }

    @Test func importingOrCreatingAPersonTakesNoAddress() throws {
        expect(.conflict) { try service.createAccount(name: PersonName(), emails: ["ada@example.com"], verified: true) }
        let folder = try TemporaryFolder()
        try "email\nada@example.com\n".write(toFile: folder.file("people.csv"), atomically: true, encoding: .utf8)
        let report = try service.importPeople(fromFile: folder.file("people.csv"), into: store.container)
        #expect(report.created == 0)
        #expect(try holder() == owner.id)
        #expect(try service.emailClaims().isEmpty)
    }

    @Test func anUnverifiedAddressDoesNotCauseAClaim() throws {
        let other = try service.createAccount()
        try other.addEmail("new@example.com")
        let account = try service.createAccount(name: PersonName(), emails: ["new@example.com"], verified: true)
        #expect(try service.account(email: EmailAddress("new@example.com")).id == account.id)
        #expect(try service.emailClaims().isEmpty)
    }

    // MARK: Refusals

    @Test func theOwnerRefusesByACodeFromTheDisputedMailbox() throws {
        _ = try claim(claimant)
        #expect(try refuse().map(\.state) == [.refused])
        advance(days: 9)
        #expect(try prove(claimant)?.state == .refused)
        #expect(try holder() == owner.id)
        #expect(try claimant.emails().map(\.isVerified) == [false])
    }

    @Test func aClaimIsRefusedBeforeItsNoticeAndUntilItIsCompleted() throws {
        _ = try prove(claimant)
        #expect(try refuse().map(\.state) == [.refused])
        let other = try newcomer()
        _ = try claim(other)
        advance(days: 7)
        #expect(try refuse().map(\.claimant) == [other.id])
        expect(.unknownItem) { try owner.requestVerification(of: ada, for: .refuseClaim) }
    }

    @Test func onlyACodeForRefusingRefuses() throws {
        _ = try claim(claimant)
        expect(.unknownItem) { try owner.refuseClaims(on: ada, code: "0000-0000") }
        let signIn = try store.mail(owner, ada, for: .signIn)
        expect(.unknownItem) { try owner.refuseClaims(on: ada, code: signIn.code) }
        let mail = try store.mail(owner, ada, for: .refuseClaim)
        expect(.permissionFailure) { try owner.refuseClaims(on: ada, code: signIn.code) }
        expect(.conflict) { try claimant.requestVerification(of: ada, for: .refuseClaim) }
        expect(.unknownItem) { try claimant.refuseClaims(on: ada, code: mail.code) }
        #expect(try owner.refuseClaims(on: ada, code: mail.code).count == 1)
    }

    @Test func refusingNeedsAClaim() throws {
        expect(.unknownItem) { try owner.requestVerification(of: ada, for: .refuseClaim) }
        let other = try EmailAddress("owner@example.com")
        _ = try claim(claimant)
        expect(.unknownItem) { try owner.requestVerification(of: other, for: .refuseClaim) }
    }

    @Test func anAccountThatWasRefusedCannotClaimTheAddressForThirtyDays() throws {
        let first = try claim(claimant)
        _ = try refuse()
        try claimant.removeEmail(ada)
        try claimant.addEmail("ada@example.com")
        for _ in 0..<2 {
            advance(days: 10)
            #expect(try prove(claimant)?.id == first.id)
            #expect(try claimant.claims().map(\.state) == [.refused])
        }
        expect(.unknownItem) { try owner.requestVerification(of: ada, for: .refuseClaim) }
        advance(days: 10)
        let second = try #require(try prove(claimant))
        #expect(second.id != first.id && second.state == .awaitingNotice)
        #expect(try holder() == owner.id)
    }

    @Test func aProofDespiteARefusalLeavesTheDecisionToTheOperator() throws {
        _ = try claim(claimant)
        _ = try refuse()
        #expect(try prove(claimant)?.state == .refused, "too early")
        advance(days: 1)
        let disputed = try #require(try prove(claimant))
        #expect(disputed.state == .disputed)
        advance(days: 300)
        #expect(try prove(claimant)?.state == .disputed)
        #expect(try service.emailClaims().map(\.state) == [.disputed])
        #expect(try holder() == owner.id)

        try service.transferEmail("ada@example.com", to: claimant)
        #expect(try holder() == claimant.id)
        #expect(try service.emailClaims().isEmpty)
    }

    @Test func aDismissedClaimCannotBeDisputedOrMadeAgain() throws {
        let first = try claim(claimant)
        _ = try refuse()
        advance(days: 1)
        _ = try prove(claimant)
        #expect(try service.dismissClaim(first.id).state == .dismissed)
        for _ in 0..<3 {
            advance(days: 9)
            try claimant.removeEmail(ada)
            try claimant.addEmail("ada@example.com")
            #expect(try prove(claimant)?.state == .dismissed)
        }
        #expect(try holder() == owner.id)
        expect(.unknownItem) { try service.dismissClaim(ClaimID(.make())) }
    }

    @Test func erasingTheAccountDoesNotEvadeARefusal() throws {
        _ = try claim(claimant)
        _ = try refuse()
        _ = try claimant.erase()
        for round in 0..<3 {
            let again = try newcomer()
            let claim = try claim(again)
            #expect(claim.state == .waiting)
            advance(days: 1)
            #expect(try prove(again)?.state == .disputed)
            #expect(try holder() == owner.id)
            _ = try again.erase()
            if round == 1 { _ = try service.rotateKeys() }
        }
        #expect(try service.emailClaims().isEmpty)
        advance(days: 30)
        let last = try newcomer()
        _ = try claim(last)
        advance(days: 1)
        #expect(try prove(last) == nil, "the refusal is forgotten")
        #expect(try holder() == last.id)
    }

    // MARK: Several

    @Test func afterOneOfTwoClaimsSucceedsTheOtherStartsAgainAgainstTheNewOwner() throws {
        let second = try newcomer()
        let (one, two) = (try claim(claimant), try claim(second))
        #expect(one.id != two.id)
        advance(days: 1)
        #expect(try prove(claimant) == nil)
        #expect(try service.emailClaims().isEmpty, "a claim is against one owner")
        let anew = try #require(try prove(second))
        #expect(anew.state == .awaitingNotice && anew.owner == claimant.id && anew.id != two.id)
        #expect(anew.notice == ["ada@example.com"])
        #expect(try holder() == claimant.id)
    }

    @Test func oneRefusalIsForAllClaimsOnTheAddress() throws {
        let second = try newcomer()
        _ = try claim(claimant)
        _ = try prove(second)
        try claimant.addEmail("owner@example.com")
        _ = try store.prove(claimant, EmailAddress("owner@example.com"))
        #expect(try refuse().count == 2)
        #expect(try owner.claims().map(\.state).filter { $0 == .refused }.count == 2)
        #expect(try owner.claims().filter { $0.state == .awaitingNotice }.map(\.address) == ["owner@example.com"])
    }

    @Test func claimsAreListedInPages() throws {
        var ids = Set<ClaimID>()
        for _ in 0..<7 { ids.insert(try #require(try prove(newcomer())).id) }
        var listed: [ClaimID] = []
        while case let page = try service.emailClaims(after: listed.last, limit: 3), !page.isEmpty {
            #expect(page.count <= 3)
            listed += page.map(\.id)
        }
        #expect(listed.count == 7 && Set(listed) == ids)
        #expect(try service.emailClaims(limit: 0).isEmpty)
        #expect(try service.emailClaims(limit: .max).count == 7)
    }

    // MARK: Ends

    private enum End: CaseIterable {
        case ownerRemoves, ownerErased, claimantRemoves, claimantErased, transferred
    }

    @Test(arguments: End.allCases) private func aClaimEndsWithOwnerClaimantOrAddress(end: End) throws {
        _ = try claim(claimant)
        advance(days: 1)
        switch end {
        case .ownerRemoves: try owner.removeEmail(ada)
        case .ownerErased: _ = try owner.erase()
        case .claimantRemoves: try claimant.removeEmail(ada)
        case .claimantErased: _ = try claimant.erase()
        case .transferred: try service.transferEmail("ada@example.com", to: store.account("Third"))
        }
        #expect(try service.emailClaims().isEmpty)
        #expect(try store.number("SELECT count(*) FROM email_claims") == 0)
        switch end {
        case .ownerRemoves, .ownerErased:
            #expect(try prove(claimant) == nil, "it is nobody's")
            #expect(try holder() == claimant.id)
        case .claimantRemoves, .transferred:
            try claimant.addEmail("ada@example.com")
            #expect(try prove(claimant)?.state == .awaitingNotice)
        case .claimantErased: #expect(try holder() == owner.id)
        }
    }

    // MARK: What others notice

    @Test func noApplicationNoticesAClaim() throws {
        _ = try store.container.session(for: owner)
        _ = try store.container.session(for: claimant)
        func revisions() throws -> [Int64] {
            try service.read { db in
                try db.all("SELECT revision FROM accounts ORDER BY account_id") { $0.integer(0) }
                    + db.all("SELECT revision FROM users ORDER BY account_id") { $0.integer(0) }
            }
        }
        let before = try revisions()
        _ = try claim(claimant)
        _ = try claimant.addEmail("ada@example.com", verified: true)
        _ = try refuse()
        advance(days: 1)
        let claim = try #require(try prove(claimant))
        _ = try service.dismissClaim(claim.id)
        #expect(try revisions() == before)
    }

    @Test func anExportHasClaimsWithoutTheOtherParty() throws {
        try claimant.setName(PersonName(givenName: "Claimant"))
        _ = try claim(claimant)
        let (made, met) = (try claimant.export(), try owner.export())
        for text in [made, met] {
            #expect(text.contains("\"state\": \"waiting\""))
            #expect(text.contains("\"address\": \"ada@example.com\""))
        }
        #expect(!made.contains(owner.id.description) && !made.contains("owner@") && !made.contains("Ada@"))
        #expect(!met.contains(claimant.id.description) && !met.contains("Claimant"))
        #expect(made.contains("\"purpose\": \"addEmail\""))
    }

    // MARK: Keys, clocks and other hands

    @Test func claimsSurviveKeyRotations() throws {
        let claim = try claim(claimant)
        _ = try service.rotateKeys()
        #expect(try service.emailClaims() == [claim])
        let other = try newcomer()
        _ = try store.reopened().beginRotation(to: nil)
        let second = try #require(try prove(other))
        #expect(try prove(claimant)?.id == claim.id)
        _ = try service.rotateKeys()
        #expect(try Set(service.emailClaims().map(\.id)) == [claim.id, second.id])
        advance(days: 1)
        #expect(try prove(claimant) == nil)
        #expect(try holder() == claimant.id)
    }

    @Test(
        arguments: Search.some([
            "UPDATE email_claims SET noticed_at = 0, completable_at = 1", "UPDATE email_claims SET decision = 0",
            "UPDATE email_claims SET claimant_id = owner_id", "UPDATE email_claims SET decision = 9",
            "UPDATE email_claims SET decided_at = NULL", "UPDATE email_claims SET opened_at = opened_at + 1",
            "UPDATE email_claims SET decision = -1",
        ])
    )
    func aClaimThatWasEditedInTheStoreIsRefused(sql: String) throws {
        _ = try claim(claimant)
        _ = try refuse()
        try service.write { db in try db.using(composed: sql, []) { _ = try $0.step() } }
        advance(days: 1)
        expect(.storeCorrupt) { try service.emailClaims() }
        // The daily upkeep still works.
        _ = try service.createAccount()
        #expect(try holder() == owner.id)
    }

    @Test func aWaitThatWasEditedInTheStoreIsRefused() throws {
        try service.setClaimWait(ClaimTests.hour)
        let claim = try #require(try prove(claimant))
        try store.change(
            "UPDATE service SET value = $1 WHERE name = 'claim_wait'",
            .bytes([UInt8](repeating: 0, count: 24))
        )
        expect(.storeCorrupt) { try service.acknowledgeNotice(of: claim.id) }
    }

    @Test func settingTheClockBackRestartsTheWait() throws {
        advance(days: 365)
        _ = try claim(claimant)
        advance(days: -365)
        #expect(try prove(claimant)?.state == .waiting)
        store.clock.advance(seconds: ClaimTests.day - 1)
        #expect(try prove(claimant)?.state == .waiting)
        store.clock.advance(seconds: 1)
        #expect(try prove(claimant) == nil)
    }

    @Test func ofTwoConcurrentCompletionsOneGetsTheAddress() throws {
        let others = try (0..<4).map { _ in try newcomer() }
        for other in others { _ = try claim(other) }
        advance(days: 1)
        let mails = try others.map { try store.mailOutsideOfBudget($0, ada) }
        let services = try (0..<4).map { _ in try store.reopened() }
        let next = Lock(0)
        let results = try concurrently(4) { [ada] in
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            return try services[index].account(others[index].id).verifyEmail(ada, code: mails[index].code)
        }
        #expect(results.filter { $0 == .verified }.count == 1)
        let winner = try holder()
        #expect(try service.emailClaims().allSatisfy { $0.owner == winner && $0.state == .awaitingNotice })
        #expect(try service.emailClaims().count == 3)
        #expect(try store.number("SELECT count(*) FROM verified_emails") == 2)
    }
}
