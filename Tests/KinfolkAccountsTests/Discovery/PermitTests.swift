import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct PermitTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        seeker = try store.session("Seeker")
        try store.container.setPermitLimit(.test(capacity: 5, perHour: 2))
    }

    private func strangers(_ numbers: Range<Int>) throws -> ContactBook {
        var book = ContactBook()
        for number in numbers { try book.add(email: "stranger\(number)@example.com") }
        return book
    }

    @Test func theDefaultIsTwentyThousandPermitsAndTenMoreAnHour() {
        #expect(PermitLimit.standard == PermitLimit(capacity: 20_000, perHour: 10, unverifiedCapacity: 100))
    }

    @Test func aBookThatUsesAllPermitsIsAnswered() throws {
        _ = try seeker.discover(strangers(0..<5))
        expect(.requestRateLimited) { try seeker.discover(strangers(5..<6)) }
    }

    @Test func aBookAboveTheCapacityIsRefusedAndCostsNothing() throws {
        let error = expect(.limitExceeded) { try seeker.discover(strangers(0..<6)) }
        #expect(error?.retryAfter == nil)
        _ = try seeker.discover(strangers(0..<5))
    }

    @Test func aBookAboveThePermitsLeftIsRefusedForAWhileAndCostsNothing() throws {
        _ = try seeker.discover(strangers(0..<3))
        let error = expect(.requestRateLimited) { try seeker.discover(strangers(3..<6)) }
        #expect(error?.retryAfter == 1_800)
        for _ in 0..<10 { expect(.requestRateLimited) { try seeker.discover(strangers(3..<6)) } }
        _ = try seeker.discover(strangers(3..<5))
    }

    @Test func aBookIsAnsweredAfterTheTimeInTheError() throws {
        _ = try seeker.discover(strangers(0..<5))
        let error = expect(.requestRateLimited) { try seeker.discover(strangers(5..<8)) }
        let wait = try #require(error?.retryAfter)
        store.clock.advance(seconds: wait - 1)
        expect(.requestRateLimited) { try seeker.discover(strangers(5..<8)) }
        store.clock.advance(seconds: 1.01)
        _ = try seeker.discover(strangers(5..<8))
        expect(.requestRateLimited) { try seeker.discover(strangers(8..<9)) }
    }

    @Test func permitsAccrueUpToTheCapacity() throws {
        _ = try seeker.discover(strangers(0..<5))
        store.clock.advance(seconds: 365 * 86_400)
        expect(.limitExceeded) { try seeker.discover(strangers(5..<11)) }
        _ = try seeker.discover(strangers(5..<10))
        expect(.requestRateLimited) { try seeker.discover(strangers(10..<11)) }
    }

    @Test func settingTheClockBackGivesNoPermits() throws {
        _ = try seeker.discover(strangers(0..<4))
        store.clock.advance(seconds: -86_400)
        _ = try seeker.discover(strangers(4..<5))
        expect(.requestRateLimited) { try seeker.discover(strangers(5..<6)) }
    }

    @Test func aSearchByAddressCostsAPermitEachTime() throws {
        let stranger = try EmailAddress("stranger@example.com")
        for _ in 0..<5 { #expect(try seeker.discover(stranger) == nil) }
        expect(.requestRateLimited) { try seeker.discover(stranger) }
    }

    @Test func aSearchByIDCostsNothing() throws {
        let id = try seeker.userRecordID()
        for _ in 0..<50 { _ = try seeker.discover(id) }
        #expect(try store.number("SELECT count(*) FROM limits") == 0)
    }

    @Test func aPersonWhoIsFoundCostsAsMuchAsAStranger() throws {
        _ = try store.discoverable("Ada", emails: "stranger0@example.com")
        _ = try seeker.discover(strangers(0..<5))
        expect(.requestRateLimited) { try seeker.discover(strangers(5..<6)) }
    }

    @Test func permitsAreSeparateForEachPersonAndContainer() throws {
        _ = try seeker.discover(strangers(0..<5))
        _ = try store.session("Other").discover(strangers(0..<5))
        let chat = try store.service.createContainer("com.example.chat")
        _ = try chat.session(for: store.account(of: seeker)).discover(strangers(0..<6))
        expect(.requestRateLimited) { try seeker.discover(strangers(5..<6)) }
    }

    @Test func aCallerWhoMayNotSearchSpendsNothing() throws {
        try store.account(of: seeker).suspend()
        expect(.notAuthenticated) { try seeker.discover(strangers(0..<5)) }
        try store.account(of: seeker).resume()
        _ = try seeker.discover(strangers(0..<5))
    }

    @Test func withARateOfZeroPermitsNeverAccrue() throws {
        try store.container.setPermitLimit(.test(capacity: 2, perHour: 0))
        _ = try seeker.discover(strangers(0..<2))
        store.clock.advance(seconds: 10 * 365 * 86_400)
        let error = expect(.requestRateLimited) { try seeker.discover(strangers(2..<3)) }
        #expect(error?.retryAfter == 31_536_000)
    }

    @Test func aSmallerCapacityAppliesImmediately() throws {
        try store.container.setPermitLimit(.test(capacity: 2, perHour: 2))
        expect(.limitExceeded) { try seeker.discover(strangers(0..<3)) }
        _ = try seeker.discover(strangers(0..<2))
    }

    @Test func concurrentSearchesSpendPermitsOnce() throws {
        let seeker = seeker
        let answers = try concurrently(8) {
            do {
                _ = try seeker.discover(EmailAddress("stranger@example.com"))
                return true
            } catch let error as KinfolkError where error.code == .requestRateLimited {
                return false
            }
        }
        #expect(answers.count { $0 } == 5)
    }

    @Test func settingTheClockBackLocksNobodyOut() throws {
        _ = try seeker.discover(strangers(0..<5))
        store.clock.advance(seconds: -365 * 86_400)
        for _ in 0..<2 { expect(.requestRateLimited) { try seeker.discover(strangers(5..<6)) } }
        store.clock.advance(seconds: 1_801)
        _ = try seeker.discover(strangers(5..<6))
        expect(.requestRateLimited) { try seeker.discover(strangers(6..<7)) }
    }
}
