import KinfolkThreads

/// Counts requests, so that nobody makes more of them than a rate allows: a bucket of tokens for each key, which fills at the rate.
///
/// It knows at most ``limit`` keys. When there are more, those whose buckets are full are forgotten, which changes nothing for them. If these
/// are less than half, all are forgotten: a flood from very many networks is not held up by this limit, and costs no search for each request.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: UInt64
        /// How many times the rate it fills with.
        let share: Double
    }

    private static let limit = 100_000
    private let rate: RequestLimits.Rate
    /// How many times as much as one network all networks of a site may take together. So no site fills the table.
    private let shareOfSite: Double
    private let buckets = Lock<[String: Bucket]>([:])

    init(_ rate: RequestLimits.Rate, shareOfSite: Double = 64) {
        (self.rate, self.shareOfSite) = (rate, shareOfSite)
    }

    /// How many keys it knows.
    var count: Int { buckets.withLock(\.count) }

    /// Takes a token of a network, and one of its site.
    func take(_ network: Network, at now: UInt64 = Deadline.now) -> Double? {
        take(network.key, of: network.site, at: now)
    }

    /// Takes a token.
    ///
    /// - Parameters:
    ///   - site: The key of what the key is a part of; nil if it is a part of nothing.
    ///   - now: The time in nanoseconds, of a clock that does not go back.
    /// - Returns: Nil if there was one; otherwise how many seconds it takes until there is one.
    func take(_ key: String, of site: String? = nil, at now: UInt64 = Deadline.now) -> Double? {
        buckets.withLock { buckets in
            let own = filled(buckets[key], share: 1, at: now)
            let whole = site.map { filled(buckets[$0], share: shareOfSite, at: now) }
            // The buckets of unknown keys would be full again.
            for bucket in [own, whole] {
                if let bucket, bucket.tokens < 1 { return (1 - bucket.tokens) / (rate.perSecond * bucket.share) }
            }
            if buckets.count >= RateLimiter.limit, buckets[key] == nil { forget(&buckets, at: now) }
            buckets[key] = taken(own)
            if let site, let whole { buckets[site] = taken(whole) }
            return nil
        }
    }

    private func taken(_ bucket: Bucket) -> Bucket {
        var bucket = bucket
        bucket.tokens -= 1
        return bucket
    }

    private func filled(_ bucket: Bucket?, share: Double, at now: UInt64) -> Bucket {
        guard let bucket else { return Bucket(tokens: rate.burst * share, filledAt: now, share: share) }
        let seconds = now > bucket.filledAt ? Double(now - bucket.filledAt) / 1e9 : 0
        let tokens = min(rate.burst * share, bucket.tokens + seconds * rate.perSecond * share)
        return Bucket(tokens: tokens, filledAt: max(bucket.filledAt, now), share: share)
    }

    private func forget(_ buckets: inout [String: Bucket], at now: UInt64) {
        buckets = buckets.filter {
            filled($0.value, share: $0.value.share, at: now).tokens < rate.burst * $0.value.share
        }
        guard buckets.count > RateLimiter.limit / 2 else { return }
        buckets.removeAll(keepingCapacity: true)
    }
}
