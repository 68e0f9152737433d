import KinfolkThreads

/// Counts requests, so that nobody makes more of them than a rate allows: a bucket of tokens for each key, which fills at the rate.
///
/// It knows at most ``limit`` keys. When there are more, those whose buckets are full are forgotten, which changes nothing for them. If these
/// are less than half, all are forgotten: a flood from very many networks is not held up by this limit, and costs no search for each request.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: UInt64
    }

    private static let limit = 100_000

    private let rate: RequestLimits.Rate
    private let buckets = Lock<[String: Bucket]>([:])

    init(_ rate: RequestLimits.Rate) { self.rate = rate }

    /// How many keys it knows.
    var count: Int { buckets.withLock(\.count) }

    /// Takes a token.
    ///
    /// - Parameter now: The time in nanoseconds, of a clock that does not go back.
    /// - Returns: Nil if there was one; otherwise how many seconds it takes until there is one.
    func take(_ key: String, at now: UInt64 = Deadline.now) -> Double? {
        buckets.withLock { buckets in
            var bucket = buckets[key] ?? Bucket(tokens: rate.burst, filledAt: now)
            bucket.tokens = tokens(of: bucket, at: now)
            bucket.filledAt = max(bucket.filledAt, now)
            // The bucket of an unknown key would be full again.
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate.perSecond }
            if buckets.count >= RateLimiter.limit, buckets[key] == nil { forget(&buckets, at: now) }
            bucket.tokens -= 1
            buckets[key] = bucket
            return nil
        }
    }

    private func tokens(of bucket: Bucket, at now: UInt64) -> Double {
        let seconds = now > bucket.filledAt ? Double(now - bucket.filledAt) / 1e9 : 0
        return min(rate.burst, bucket.tokens + seconds * rate.perSecond)
    }

    private func forget(_ buckets: inout [String: Bucket], at now: UInt64) {
        buckets = buckets.filter { tokens(of: $0.value, at: now) < rate.burst }
        guard buckets.count > RateLimiter.limit / 2 else { return }
        buckets.removeAll(keepingCapacity: true)
    }
}
