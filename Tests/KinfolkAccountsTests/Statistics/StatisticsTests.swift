import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct StatisticsTests {
    private let store: TestService
    private let day = 86_400.0

    init() throws { store = try TestService() }

    @Test func anEmptyContainerHasZeroCounts() throws {
        let statistics = try store.container.statistics()
        #expect(statistics.people == 0)
        #expect(statistics.granted == 0)
        #expect(statistics.undetermined == 0)
        #expect(statistics.permitsSpent == 0)
        #expect(statistics.optedIn.isEmpty)
    }

    @Test func peopleAreCountedByTheirLastDecision() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let grace = try store.discoverable("Grace", emails: "grace@example.com")
        _ = try store.discoverable("Alan", emails: "alan@example.com")
        _ = try store.session("Edsger")
        try grace.setDiscoverability(.denied, wording: TestService.wording)
        try store.account(of: ada).suspend()
        let other = try store.service.createContainer("com.example.other")
        _ = try store.discoverable("Barbara", emails: "barbara@example.com", in: other)

        let statistics = try store.container.statistics()
        #expect(statistics.people == 4)
        #expect(statistics.granted == 2)
        #expect(statistics.denied == 1)
        #expect(statistics.undetermined == 1)
        #expect(statistics.discoverable == 1)
        #expect(statistics.suspended == 1)
        #expect(try other.statistics().people == 1)
    }

    @Test func eachDayHasTheNumberOfOptInsAtItsEnd() throws {
        let ada = try store.discoverable("Ada")
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        _ = try store.discoverable("Grace")
        store.clock.advance(seconds: 3 * day)
        try ada.setDiscoverability(.granted, wording: TestService.wording)
        try ada.setDiscoverability(.granted, wording: TestService.wording)
        let alan = try store.discoverable("Alan")
        store.clock.advance(seconds: day)
        try alan.setDiscoverability(.denied, wording: TestService.wording)
        store.clock.advance(seconds: day)
        // Opts in and out on one day, so the count at the end of the day is the same.
        let edsger = try store.discoverable("Edsger")
        try edsger.setDiscoverability(.denied, wording: TestService.wording)

        let history = try store.container.statistics().optedIn
        #expect(history.map(\.people) == [1, 3, 2])
        let first = try #require(history.first?.day)
        #expect(history.map { $0.day.seconds(since: first) / day } == [0, 3, 4])
        #expect(first == first.startOfDay)

        _ = try store.account(of: ada).erase()
        #expect(try store.container.statistics().optedIn.map(\.people) == [1, 2, 1])
    }

    @Test func peopleWithoutPermitsAreCountedUntilPermitsAccrue() throws {
        try store.container.setPermitLimit(.test(capacity: 2, perHour: 1))
        let ada = try store.session("Ada")
        _ = try store.session("Grace").discover(book("one@example.com"))
        _ = try ada.discover(book("one@example.com", "two@example.com"))
        var statistics = try store.container.statistics()
        #expect(statistics.peopleWhoAsked == 2)
        #expect(statistics.permitsSpent == 3)
        #expect(statistics.peopleWithoutPermits == 1)
        store.clock.advance(seconds: 3_601)
        statistics = try store.container.statistics()
        #expect(statistics.peopleWhoAsked == 1)
        #expect(statistics.permitsSpent == 1)
        #expect(statistics.peopleWithoutPermits == 0)
    }

    @Test func blocksAndLookupsAreCounted() throws {
        let (ada, grace) = (try store.session("Ada"), try store.session("Grace"))
        try ada.block(grace.userRecordID())
        try store.container.block(ada.userRecordID(), from: grace.userRecordID())
        _ = try store.container.account(of: ada.userRecordID(), reason: "Ticket 12")
        let statistics = try store.container.statistics()
        #expect(statistics.blocksByPeople == 1)
        #expect(statistics.blocksByOperator == 1)
        #expect(statistics.accountLookups == 1)
    }

    @Test func discoveriesAndRefusalsAreCountedByDays() throws {
        try store.container.setPermitLimit(.test(capacity: 3, perHour: 0))
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let seeker = try store.session("Seeker")
        #expect(try seeker.discover(ada.userRecordID()) != nil)
        #expect(try seeker.discover(EmailAddress("nobody@example.com")) == nil)
        let found = try seeker.discover(book("ada@example.com", "bob@example.com"))
        _ = try seeker.discover(book("ada@example.com", "bob@example.com"), syncState: found.syncState)
        expect(.requestRateLimited) { try seeker.discover(EmailAddress("nobody@example.com")) }
        expect(.limitExceeded) {
            try seeker.discover(book("a@example.com", "b@example.com", "c@example.com", "d@example.com"))
        }
        var activity = try store.container.statistics().activity
        #expect(activity.map(\.discoveries) == [4])
        #expect(activity.map(\.refusals) == [2])

        // Counts are written when permits are leased, or when a service closes. Only then another process sees them.
        store.clock.advance(seconds: day)
        do {
            let other = try store.reopened()
            let session = try other.container("com.example.notes").session(
                for: other.account(email: EmailAddress("ada@example.com"))
            )
            _ = try session.discover(EmailAddress("nobody@example.com"))
            expect(.requestRateLimited) {
                try session.discover(book("a@example.com", "b@example.com", "c@example.com"))
            }
        }
        activity = try store.container.statistics().activity
        #expect(activity.map(\.discoveries) == [4, 1])
        #expect(activity.map(\.refusals) == [2, 1])

        store.clock.advance(seconds: 401 * day)
        _ = try seeker.discover(ada.userRecordID())
        #expect(try store.container.statistics().activity.map(\.discoveries) == [1])
    }
}
