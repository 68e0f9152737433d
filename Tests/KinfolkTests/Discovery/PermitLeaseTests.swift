import Kinfolk
import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

@Suite struct PermitLeaseTests {
    private let store: TestService
    private let seeker: Session
    private let stranger: EmailAddress

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker")
        stranger = try EmailAddress("stranger@example.com")
    }

    private func stored() throws -> Int {
        let spent = try store.number("SELECT CAST(coalesce(sum(spent), -1) AS BIGINT) FROM limits WHERE kind = 1")
        return try Int(store.container.permitLimit().capacity) - (spent + 999_999) / 1_000_000
    }

    /// What another process sees and may spend.
    private func elsewhere() throws -> Session {
        let service = try store.reopened()
        return try service.container("com.example.notes").session(for: service.account(#require(seeker.account)))
    }

    @Test func oneWriteIsGoodForABlockOfLookups() throws {
        _ = try seeker.discover(stranger)
        #expect(try stored() == 20_000 - 256)
        let (_, work) = try store.service.tracing {
            for _ in 0..<255 { _ = try seeker.discover(stranger) }
        }
        #expect(!work.contains { $0.sql.hasPrefix("INSERT INTO limits") })
        #expect(try seeker.permitsLeft() == 20_000 - 256)
        _ = try seeker.discover(stranger)
        #expect(try stored() == 20_000 - 512)
        #expect(try seeker.permitsLeft() == 20_000 - 257)
    }

    @Test func neverMoreThanAnEighthOfTheRestIsTakenAhead() throws {
        try store.container.setPermitLimit(.test(capacity: 81, perHour: 0))
        _ = try seeker.discover(stranger)
        #expect(try stored() == 70)
        for _ in 0..<80 { _ = try seeker.discover(stranger) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
        #expect(try stored() == 0)
    }

    @Test func aLeaseGoesBackWhenTheServiceCloses() throws {
        do {
            let session = try elsewhere()
            _ = try session.discover(stranger)
            #expect(try stored() == 20_000 - 256)
            withExtendedLifetime(session) {}
        }
        #expect(try stored() == 19_999)
    }

    @Test func aCrashForfeitsItAndNoMore() throws {
        let probe = try Probe("look-up", store.path, try #require(seeker.account).description)
        #expect(probe.line() == "found nobody")
        probe.kill()
        #expect(try stored() == 20_000 - 256)
        #expect(try seeker.permitsLeft() == 20_000 - 256)
    }

    @Test func aLeaseIsWorthNothingAfterAMinuteAndGoesBack() throws {
        _ = try seeker.discover(stranger)
        store.clock.advance(seconds: 61)
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        _ = try seeker.discover(stranger)
        #expect(try stored() == 19_998 - 255)
        #expect(try seeker.permitsLeft() == 19_998)
    }

    @Test func whatIsHeldInStoreAndMemoryIsNeverMoreThanTheLimit() throws {
        _ = try seeker.discover(stranger)
        store.clock.advance(seconds: 30 * 86_400)
        for _ in 0..<20_000 { _ = try seeker.discover(stranger) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }

    @Test func aClockThatGoesBackMakesALeaseWorthNothingAndLocksNobodyOut() throws {
        _ = try seeker.discover(stranger)
        store.clock.advance(seconds: -10 * 365 * 86_400)
        _ = try seeker.discover(stranger)
        #expect(try seeker.permitsLeft() == 19_998)
        var book = ContactBook()
        for number in 0..<19_998 { try book.add(email: "s\(number)@example.com") }
        _ = try seeker.discover(book)
        expect(.requestRateLimited) { try seeker.discover(stranger) }
        store.clock.advance(seconds: 3_600)
        for _ in 0..<10 { _ = try seeker.discover(stranger) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }

    @Test func aLookupThatFailsCostsNothing() throws {
        _ = try seeker.discover(stranger)
        try store.account(of: seeker).suspend()
        for _ in 0..<3 { expect(.notAuthenticated) { try seeker.discover(stranger) } }
        expect(.notAuthenticated) { try seeker.discover(book("a@example.com", "b@example.com")) }
        #expect(try seeker.permitsLeft() == 19_999)
    }

    @Test func aRefusalTouchesNothing() throws {
        try store.container.setPermitLimit(.test(capacity: 1_000, perHour: 0))
        _ = try seeker.discover(stranger)
        let before = (try stored(), try seeker.permitsLeft())
        var large = ContactBook()
        for number in 0..<1_000 { try large.add(email: "s\(number)@example.com") }
        expect(.requestRateLimited) { try seeker.discover(large) }
        try large.add(email: "one-more@example.com")
        expect(.limitExceeded) { try seeker.discover(large) }
        #expect(try (stored(), seeker.permitsLeft()) == before)
    }

    @Test func severalServicesTogetherSpendNoMoreThanThereIs() throws {
        try store.container.setPermitLimit(.test(capacity: 1_000, perHour: 0))
        let sessions = try (0..<3).map { _ in try elsewhere() }
        let spent = Lock(0)
        try onThreads(6) { thread in
            while true {
                do {
                    _ = try sessions[thread % 3].discover(stranger)
                    spent.withLock { $0 += 1 }
                } catch let error as KinfolkError where error.code == .requestRateLimited { return }
            }
        }
        let total = spent.withLock { $0 }
        let stored = try stored()
        let inMemory = try sessions.reduce(0) { try $0 + Int($1.permitsLeft()) - stored }
        #expect(total + stored + inMemory == 1_000)
        #expect(total > 700)
    }

    @Test func leasesInMemoryAreBounded() throws {
        try store.service.write { db in
            for _ in 0..<4_200 {
                _ = try store.container.join(store.service.createAccount(name: PersonName(), db).id, db)
            }
        }
        var last: AccountID?
        while case let page = try store.service.accounts(after: last), !page.isEmpty {
            for account in page { _ = try store.container.session(for: account).discover(stranger) }
            last = page.last?.id
        }
        // Of those that went back one is spent, of the others a block is taken.
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent = 1000000") >= 2_048)
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent NOT IN (1000000, 256000000)") == 0)
    }

    @Test func oldLeasesGoBackWhenAnybodyLooksSomethingUp() throws {
        let other = try store.session("Other")
        _ = try seeker.discover(stranger)
        store.clock.advance(seconds: 61)
        _ = try other.discover(stranger)
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent = 1000000") == 1)
        store.clock.advance(seconds: 30 * 86_400)
        var book = ContactBook()
        for number in 0..<20_000 { try book.add(email: "s\(number)@example.com") }
        _ = try elsewhere().discover(book)
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }
}
