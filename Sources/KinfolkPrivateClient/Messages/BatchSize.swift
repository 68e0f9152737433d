/// The number of points in an evaluation. There are few sizes, so that they reveal the number of contacts only roughly.
enum BatchSize {
    static let all = [64, 256, 1_024, 4_096, 16_384]
    static let largest = 16_384

    /// The size of a batch for the first of `count` contacts: the smallest that has room for all, or the largest.
    static func forContacts(_ count: Int) -> Int { all.first { $0 >= count } ?? largest }

    /// The size of the next batch of contacts that were evaluated in batches before; `count` is a sum of batch sizes.
    static func forPaid(_ count: Int) -> Int { all.last { $0 <= count } ?? all[0] }
}
