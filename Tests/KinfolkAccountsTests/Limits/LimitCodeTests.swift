import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkAccounts

/// Stored limits and counts are valid only with their authentication code.
@Suite struct LimitCodeTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker", emails: "seeker@example.com")
        try store.container.setPermitLimit(PermitLimit(capacity: 5, perHour: 2))
        _ = try seeker.discover(book("a@example.com", "b@example.com", "c@example.com"))
    }

    @Test(
        arguments: Search.some(
            [
                (spent: 0, countedAt: nil), (-1, nil), (.min, nil), (.max, nil), (3_000_000, 0), (3_000_000, .min),
                (3_000_000, .max),
            ] as [(Int64, Int64?)]
        )
    )
    func anEditedCountIsRefused(spent: Int64, countedAt: Int64?) throws {
        if let countedAt { try store.change("UPDATE limits SET counted_at = $1", .integer(countedAt)) }
        try store.change("UPDATE limits SET spent = $1", .integer(spent))
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("d@example.com")) }
        _ = try store.container.statistics()
        _ = try store.account(of: seeker).export()
        // Other people are not affected, and the person can be erased.
        _ = try store.session("Other", emails: "other@example.com").discover(EmailAddress("d@example.com"))
        #expect(try store.account(of: seeker).erase().rememberedEmails == 1)
        let again = try store.session("Seeker", emails: "seeker@example.com")
        expect(.requestRateLimited) { try again.discover(EmailAddress("d@example.com")) }
    }

    @Test func anEditedCountIsNotAuthenticatedAgainWhenItsLeaseIsSettled() throws {
        try store.container.setPermitLimit(PermitLimit(capacity: 20_000, perHour: 0))
        let other = try store.session("Other", emails: "other@example.com")
        // Three look-ups and then a lease. The other person's next look-up settles it after it has expired.
        for _ in 0..<5 { _ = try seeker.discover(EmailAddress("d@example.com")) }
        let holder = try LimitHolder(
            account: #require(seeker.account),
            container: store.container.number,
            kind: .permits
        )
        #expect(store.service.leases.count(of: holder) > 0)
        try store.change("UPDATE limits SET spent = 0")
        store.clock.advance(seconds: 51)
        _ = try other.discover(EmailAddress("d@example.com"))
        #expect(store.service.leases.lease(of: holder) == nil)
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("d@example.com")) }
    }

    @Test func theRowOfAnotherPersonIsRefused() throws {
        let other = try store.session("Other")
        _ = try other.discover(book("a@example.com"))
        try store.change(
            """
            UPDATE limits SET code = (SELECT code FROM limits l WHERE l.account_id = $1),
                spent = (SELECT spent FROM limits l WHERE l.account_id = $1) WHERE account_id = $2
            """,
            .bytes(#require(other.account).value.bytes),
            .bytes(#require(seeker.account).value.bytes)
        )
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("d@example.com")) }
    }

    @Test(
        arguments: Search.some([
            "permit_capacity = 1000000", "permit_capacity = -5", "permit_millionths_per_hour = 1000000000000",
            "unverified_capacity = 4", "fields_per_person = 51", "rows_per_day = 0", "multiplications_per_day = 9",
        ])
    )
    func anEditedLimitOfAContainerIsRefused(change: String) throws {
        try store.service.write { db in
            try db.using(composed: "UPDATE container_limits SET \(change)", []) { _ = try $0.step() }
        }
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("d@example.com")) }
        expect(.storeCorrupt) { try store.container.permitLimit() }
    }

    @Test func aMissingLimitOfAContainerIsRefused() throws {
        try store.change("DELETE FROM container_limits")
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("d@example.com")) }
        _ = try store.account(of: seeker).erase()
    }

    @Test func aRotationReplacesTheAuthenticationCodes() throws {
        let old = try codes()
        _ = try store.service.rotateKeys()
        let new = try codes()
        #expect(old.count == new.count && Set(old).isDisjoint(with: new))
        _ = try seeker.discover(book("d@example.com", "e@example.com"))
        expect(.requestRateLimited) { try seeker.discover(EmailAddress("f@example.com")) }
        try store.change("UPDATE limits SET code = $1", .bytes(old[0]))
        expect(.storeCorrupt) { try seeker.discover(EmailAddress("f@example.com")) }
    }

    @Test func limitsApplyDuringAKeyRotation() throws {
        _ = try store.service.beginRotation(to: .file(store.folder.file("new.key")))
        _ = try seeker.discover(book("d@example.com", "e@example.com"))
        expect(.requestRateLimited) { try seeker.discover(EmailAddress("f@example.com")) }
        while try store.service.rotateBatch() != nil {}
        expect(.requestRateLimited) { try seeker.discover(EmailAddress("f@example.com")) }
    }

    @Test func aCopyHasTheCounts() throws {
        _ = try store.account(of: seeker).erase()
        _ = try store.service.copy(to: store.folder.file("copy.db"))
        let copy = try Service(
            path: FilePath(store.folder.file("copy.db")),
            key: .file(TemporaryFolder.keyPath(of: store.path)),
            existingOnly: true,
            wait: 20,
            clock: { [clock = store.clock] in clock.now }
        )
        let account = try copy.createAccount()
        try account.addEmail("seeker@example.com", verified: true)
        let session = try copy.container("com.example.notes").session(for: account)
        expect(.requestRateLimited) { try session.discover(book("x@example.com", "y@example.com", "z@example.com")) }
    }

    private func codes() throws -> [[UInt8]] {
        try store.service.read { db in
            try db.all("SELECT code FROM limits UNION ALL SELECT code FROM container_limits") { $0.bytes(0) }
        }
    }
}
