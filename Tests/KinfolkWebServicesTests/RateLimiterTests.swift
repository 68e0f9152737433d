import Testing

@testable import KinfolkWebServices

@Suite struct RateLimiterTests {
    private let second: UInt64 = 1_000_000_000

    @Test func aKeyGetsWhatTheRateAllows() {
        let limiter = RateLimiter(RequestLimits.Rate(perSecond: 2, burst: 3))
        for _ in 0..<3 { #expect(limiter.take("a", at: 0) == nil) }
        #expect(limiter.take("a", at: 0) == 0.5)
        #expect(limiter.take("b", at: 0) == nil)
        #expect(limiter.take("a", at: second / 2) == nil)
    }

    /// Otherwise each request looks through all of them, once an attacker has as many networks as there is room.
    @Test func manyKeysAreForgottenAtOnce() {
        let limiter = RateLimiter(RequestLimits.Rate(perSecond: 1, burst: 1))
        // When there is no room for one more, one of the keys has come back to what it may take at once.
        for number in 0..<100_001 { #expect(limiter.take("\(number)", at: UInt64(number) * (second / 100_000)) == nil) }
        #expect(limiter.count <= 50_000)
    }

    /// A customer of a provider has 65,536 networks, with which it would fill the table, so that everybody is forgotten.
    @Test func aSiteTakesAsMuchAs64Networks() throws {
        let limiter = RateLimiter(RequestLimits.Rate(perSecond: 1, burst: 20))
        let guesser = try #require(Network("203.0.113.7"))
        for _ in 0..<20 { #expect(limiter.take(guesser, at: 0) == nil) }
        var taken = 0
        for number in 0..<65_536 {
            let network = try #require(Network("2001:db8:1:\(String(number, radix: 16))::1"))
            if limiter.take(network, at: 0) == nil { taken += 1 }
        }
        #expect(taken == 64 * 20 && limiter.count == taken + 2)
        #expect(limiter.take(guesser, at: 0) != nil, "nobody was forgotten")
        #expect(try limiter.take(#require(Network("2001:db8:2::1")), at: 0) == nil, "others are not held up")
    }

    @Test func aRateThatAllowsNothingRemembersNobody() {
        let limiter = RateLimiter(RequestLimits.Rate(perSecond: 0.5, burst: 0.5))
        for number in 0..<100 { #expect(limiter.take("\(number)", at: 0) == 1) }
        #expect(limiter.count == 0)
    }
}
