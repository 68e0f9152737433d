import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkAccounts

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

    private func lookUp(_ count: Int, _ session: Session? = nil) throws {
        for _ in 0..<count { _ = try (session ?? seeker).discover(stranger) }
    }

    private func holder() throws -> LimitHolder {
        try LimitHolder(account: #require(seeker.account), container: store.container.number, kind: .permits)
    }

    /// How many permits the service of these tests has in memory.
    private func inMemory() throws -> Int { try store.service.leases.count(of: holder()) }

    @Test func theFirstLookUpsAndBooksLeaseNothing() throws {
        for count in 1...3 {
            try lookUp(1)
            #expect(try stored() == 20_000 - count)
        }
        _ = try store.session("Other").discover(book("a@example.com", "b@example.com"))
        #expect(try stored() == 20_000 - 5)
        for _ in 0..<10 { _ = try seeker.discover(book("a@example.com", "b@example.com")) }
        #expect(try stored() == 20_000 - 25)
    }

    @Test func consecutiveLookUpsGetGrowingLeases() throws {
        try lookUp(3)
        for (size, total) in [(4, 7), (8, 15), (16, 31), (32, 63), (64, 127), (64, 191)] {
            try lookUp(1)
            #expect(try stored() == 20_000 - total)
            let (_, work) = try store.service.tracing { try lookUp(size - 1) }
            #expect(!work.contains { $0.sql.hasPrefix("INSERT INTO limits") })
            #expect(try seeker.permitsLeft() == 20_000 - total)
        }
    }

    @Test func anExpiredLeaseIsNotCountedTwice() throws {
        try store.container.setPermitLimit(.test(capacity: 100, perHour: 0))
        try lookUp(5)
        for _ in 0..<20 {
            #expect(try seeker.permitsLeft() == 95)
            store.clock.advance(seconds: 7)
        }
    }

    @Test func aSmallerLeaseFollowsOneThatWasHardlyUsed() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        try lookUp(127 + 6)
        store.clock.advance(seconds: 51)
        try lookUp(1)
        #expect(try stored() == 20_000 - 133 - 8)
    }

    @Test func aPauseResetsTheGrowthOfLeases() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        try lookUp(31)
        store.clock.advance(seconds: 61)
        try lookUp(3)
        #expect(try stored() == 20_000 - 34)
    }

    @Test func aLeaseIsAtMostAnEighthOfThePermitsLeft() throws {
        try store.container.setPermitLimit(.test(capacity: 81, perHour: 0))
        try lookUp(33)
        // The block would be 32 permits, 31 of them leased. But 48 are left, and an eighth of that is 6.
        #expect(try stored() == 48 - 6)
        try lookUp(48)
        expect(.requestRateLimited) { try seeker.discover(stranger) }
        #expect(try stored() == 0)
    }

    @Test func closingTheServiceReturnsALease() throws {
        do {
            let session = try elsewhere()
            try lookUp(4, session)
            #expect(try stored() == 20_000 - 7)
            withExtendedLifetime(session) {}
        }
        #expect(try stored() == 20_000 - 4)
    }

    @Test(arguments: [1, 3, 4, 130]) func aProcessThatExitsWithoutClosingSpendsOnlyItsLookUps(_ count: Int) throws {
        let probe = try Probe("look-up", store.path, try #require(seeker.account).description, "\(count)")
        #expect(probe.line() == "found nobody")
        #expect(probe.finish() == [])
        #expect(probe.exitStatus == 0)
        #expect(try stored() == 20_000 - count)
        #expect(try store.number("SELECT CAST(coalesce(sum(discoveries), 0) AS BIGINT) FROM activity") == count)
    }

    @Test func aKilledProcessSpendsOnePermitForEachOfItsFirstLookUps() throws {
        for round in 1...5 {
            let probe = try Probe("look-up", store.path, try #require(seeker.account).description, "3")
            #expect(probe.line() == "found nobody")
            probe.kill()
            #expect(try stored() == 20_000 - 3 * round)
        }
    }

    @Test func theLeaseOfAKilledProcessIsReturnedLater() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        let probe = try Probe("look-up", store.path, try #require(seeker.account).description, "134")
        #expect(probe.line() == "found nobody")
        probe.kill()
        #expect(try stored() == 20_000 - 191)
        // The test's clock is far behind that of the other process, so that process's lease has expired.
        #expect(try seeker.permitsLeft() == 20_000 - 128)
        try lookUp(1)
        #expect(try stored() == 20_000 - 129)
    }

    @Test func aLeaseExpiresAfterOneToTwoMinutes() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        try lookUp(4)
        let there = try elsewhere()
        store.clock.advance(seconds: 59)
        #expect(try there.permitsLeft() == 20_000 - 7)
        store.clock.advance(seconds: 61)
        #expect(try there.permitsLeft() == 20_000 - 4)
        withExtendedLifetime(seeker) {}
    }

    @Test func anExpiredLeaseCannotBeSpentAndIsReturned() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        try lookUp(4)
        store.clock.advance(seconds: 50)
        let (_, work) = try store.service.tracing { try lookUp(1) }
        #expect(work.contains { $0.sql.hasPrefix("INSERT INTO limits") })
        #expect(try seeker.permitsLeft() == 20_000 - 5)
    }

    @Test func anIdleProcessLaterChargesTheSpentPartOfAnExpiredLease() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        // This stands for two processes: a service would settle the leases of other services in its process.
        let holder = try holder()
        let account = holder.account
        try lookUp(7)
        let lease = try #require(store.service.leases.lease(of: holder))
        #expect(lease.count == 0 && lease.taken == 3)
        store.clock.advance(seconds: 150)
        try store.service.write { db in
            // The charge that another process writes now.
            let keys = try store.service.keys(db)
            let spending = try LimitTable.spendings(of: account, in: holder.container, keys, db)[.permits]
            let limit = Limit(ceiling: 20_000, perHour: 0)
            try LimitTable.set(#require(spending).at(store.clock.now, limit).adding(1), of: holder, keys, db)
        }
        #expect(try stored() == 20_000 - 5)
        // Until the lease is settled, an erasure would remember all of it as spent.
        let spending = try store.service.read { db in
            try LimitTable.spendings(of: account, in: holder.container, store.service.keys(db), db)[.permits]
        }
        #expect(spending?.millionthsAtMost == 8_000_000)
        try lookUp(1)
        #expect(try stored() == 20_000 - 9)
        #expect(try seeker.permitsLeft() == 20_000 - 9)
    }

    @Test func aServiceChargesTheSpentPartsOfExpiredLeasesOfItsProcess() throws {
        try store.container.setPermitLimit(.test(capacity: 200, perHour: 0))
        try lookUp(63)
        let lease = try #require(store.service.leases.lease(of: holder()))
        #expect(lease.taken > lease.count, "what was spent of it is not charged yet")
        let there = try elsewhere()
        store.clock.advance(seconds: 150)
        var total = 63
        while total < 1_000 {
            do { try lookUp(1, there) } catch let error as KinfolkError where error.code == .requestRateLimited {
                break
            }
            total += 1
        }
        #expect(total == 200)
        withExtendedLifetime(seeker) {}
    }

    /// Whatever the services and the clock do, in the end each search is charged once.
    @Test(arguments: Search.some(Array(0..<6))) func eachSearchIsChargedOnce(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        var asked = 0
        do {
            var sessions = try (0..<3).map { _ in try elsewhere() }
            for _ in 0..<120 {
                let number = Int.random(in: 0..<sessions.count, using: &generator)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: sessions[number] = try elsewhere()
                case 1:
                    let step =
                        [-300, -90, -61, -30, 10, 49, 51, 61, 90, 130, 300].randomElement(using: &generator) ?? 0
                    store.clock.advance(seconds: Double(step))
                case 2:
                    _ = try sessions[number].discover(book("a@example.com", "b@example.com"))
                    asked += 2
                case 3: _ = try sessions[number].permitsLeft()
                default:
                    let count = Int.random(in: 1...40, using: &generator)
                    try lookUp(count, sessions[number])
                    asked += count
                }
            }
        }
        #expect(try stored() == 20_000 - asked)
        #expect(try seeker.permitsLeft() == 20_000 - asked)
    }

    @Test func permitsInStoreAndMemoryNeverExceedTheLimit() throws {
        try store.container.setPermitLimit(.test(capacity: 2_000, perHour: 10))
        _ = try seeker.discover(stranger)
        store.clock.advance(seconds: 30 * 86_400)
        for _ in 0..<2_000 { _ = try seeker.discover(stranger) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }

    @Test func settingTheClockBackInvalidatesALeaseAndLocksNobodyOut() throws {
        try lookUp(5)
        #expect(try inMemory() > 0)
        store.clock.advance(seconds: -10 * 365 * 86_400)
        // The lease is settled, and the next look-up does not spend from it.
        let (_, work) = try store.service.tracing { try lookUp(1) }
        #expect(work.contains { $0.sql.hasPrefix("INSERT INTO limits") })
        #expect(try inMemory() == 0)
        #expect(try stored() == 19_994)
        #expect(try seeker.permitsLeft() == 19_994)
        var book = ContactBook()
        for number in 0..<19_994 { try book.add(email: "s\(number)@example.com") }
        _ = try seeker.discover(book)
        expect(.requestRateLimited) { try seeker.discover(stranger) }
        store.clock.advance(seconds: 3_600)
        for _ in 0..<10 { _ = try seeker.discover(stranger) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }

    @Test(arguments: [1, 5]) func aFailedLookUpCostsNothing(_ before: Int) throws {
        try lookUp(before)
        #expect(try inMemory() == (before == 5 ? 2 : 0))
        try store.account(of: seeker).suspend()
        for _ in 0..<6 { expect(.notAuthenticated) { try seeker.discover(stranger) } }
        expect(.notAuthenticated) { try seeker.discover(book("a@example.com", "b@example.com")) }
        #expect(try seeker.permitsLeft() == 20_000 - before)
        try store.account(of: seeker).resume()
        try lookUp(1)
        #expect(try seeker.permitsLeft() == 20_000 - before - 1)
    }

    @Test func aRefusedSearchChangesNothing() throws {
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

    @Test func severalServicesTogetherStayWithinTheLimit() throws {
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

    /// They are in memory, so the engine does not matter, and a server needs minutes.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func leasesInMemoryAreBounded() throws {
        try store.service.write { db in
            for _ in 0..<4_200 {
                _ = try store.container.join(store.service.createAccount(name: PersonName(), db).id, db)
            }
        }
        var last: AccountID?
        while case let page = try store.service.accounts(after: last), !page.isEmpty {
            for account in page { try lookUp(4, store.container.session(for: account)) }
            last = page.last?.id
        }
        // If the lease was returned, the row counts the 4 look-ups; otherwise it counts all 7 leased permits.
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent = 4000000") >= 2_048)
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent NOT IN (4000000, 7000000)") == 0)
    }

    @Test func leaseSizesAreRememberedForALimitedNumberOfPeople() throws {
        let leases = LimitLeases()
        func holder() -> LimitHolder { LimitHolder(account: AccountID(.make()), container: 1, kind: .permits) }
        func charge(_ holder: LimitHolder) {
            leases.noteCharge(1, size: 1, ahead: 0, in: 0, of: holder, at: store.clock.now)
        }
        let first = holder()
        for _ in 0..<3 { charge(first) }
        #expect(leases.size(for: 1, of: first, after: nil, at: store.clock.now) == 4)
        for _ in 0..<4_096 { charge(holder()) }
        #expect(leases.size(for: 1, of: first, after: nil, at: store.clock.now) == 1)
    }

    @Test func anyLookUpReturnsExpiredLeases() throws {
        try store.container.setPermitLimit(.test(capacity: 20_000, perHour: 0))
        let other = try store.session("Other")
        try lookUp(4)
        store.clock.advance(seconds: 51)
        try lookUp(1, other)
        #expect(try store.number("SELECT count(*) FROM limits WHERE spent = 4000000 AND leased = 0") == 1)
    }

    @Test func afterAMonthPermitsDoNotExceedTheLimit() throws {
        try lookUp(4)
        store.clock.advance(seconds: 30 * 86_400)
        var book = ContactBook()
        for number in 0..<20_000 { try book.add(email: "s\(number)@example.com") }
        _ = try elsewhere().discover(book)
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }
}
