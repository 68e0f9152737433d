package import KinfolkCrypto

/// The keys of the subscriptions to one database, in memory.
package struct SubscriptionIndex: Sendable {
    /// The most keys. One with more stays in the store.
    package static let limit = 200_000

    /// The random number of the state of the subscriptions from which it was made.
    package let stamp: Int64
    private let ranges: [Tag: Range<Int32>]
    private let numbers: [Int64]

    /// How many keys it has.
    var count: Int { numbers.count }

    /// - Parameter keys: In order, at most ``limit``.
    package init(_ keys: [(key: Tag, number: Int64)], stamp: Int64) {
        var ranges = [Tag: Range<Int32>](minimumCapacity: keys.count)
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end].key == keys[start].key { end += 1 }
            ranges[keys[start].key] = Int32(truncatingIfNeeded: start)..<Int32(truncatingIfNeeded: end)
            start = end
        }
        (self.ranges, self.stamp) = (ranges, stamp)
        numbers = keys.map(\.number)
    }

    /// The numbers of the next subscriptions with a key, in order.
    package func numbers(under key: Tag, after last: Int64, limit: Int) -> ArraySlice<Int64> {
        guard let range = ranges[key] else { return [] }
        var (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        let end = high
        if last > 0 {
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] > last { high = middle } else { low = middle + 1 }
            }
        }
        return numbers[low..<min(end, low + limit)]
    }
}
