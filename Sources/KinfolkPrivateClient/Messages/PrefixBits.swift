/// How many bits of a bucket position a client reveals when it requests a bucket: a trade-off between bytes and privacy.
///
/// With 0 bits it requests the whole directory, and reveals nothing about its contacts.
package struct PrefixBits: Hashable, Sendable {
    package static let maximum = 32
    package static let none = PrefixBits(clamping: 0)
    /// Up to this many rows, which fit 1 MiB, the whole directory is sent.
    private static let wholeDirectory = (1 << 20) / DirectoryRow.length
    /// The minimum number of rows in a bucket, on average.
    private static let fewestRows = 16

    package let count: Int

    package init?(_ count: Int) {
        guard (0...PrefixBits.maximum).contains(count) else { return nil }
        self.count = count
    }

    package init(clamping count: Int) { self.count = min(max(count, 0), PrefixBits.maximum) }

    /// The number of bytes of a prefix.
    package var byteCount: Int { (count + 7) / 8 }

    /// The number of bits for a directory with `rows` rows: 0 while the directory fits 1 MiB; otherwise a bucket has 16 to 32
    /// rows.
    package static func suited(to rows: Int) -> PrefixBits {
        guard rows > wholeDirectory else { return .none }
        return PrefixBits(clamping: (rows / fewestRows).bitWidth - 1 - (rows / fewestRows).leadingZeroBitCount)
    }

    /// The number of bits for `rows` rows, given the previous number. It decreases only when there are a quarter fewer rows than
    /// it needs, so that it does not alternate when a few rows come and go.
    package func following(_ rows: Int) -> PrefixBits {
        let lower = PrefixBits.suited(to: rows).count
        let upper = PrefixBits.suited(to: rows + rows / 3).count
        return PrefixBits(clamping: max(lower, min(count, upper)))
    }
}
