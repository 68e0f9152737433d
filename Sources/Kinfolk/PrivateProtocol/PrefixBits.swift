/// How many bits of a bucket position a client tells when it asks for a bucket: the dial between bytes and privacy.
///
/// With none it asks for the whole directory, and tells nothing about its contacts.
struct PrefixBits: Hashable, Sendable {
    static let maximum = 32
    static let none = PrefixBits(clamping: 0)
    /// As many rows as fit 1 MiB go out whole.
    private static let wholeDirectory = (1 << 20) / DirectoryRow.length
    /// How many rows a bucket has at least, on average.
    private static let fewestRows = 16

    let count: Int

    init?(_ count: Int) {
        guard (0...PrefixBits.maximum).contains(count) else { return nil }
        self.count = count
    }

    init(clamping count: Int) { self.count = min(max(count, 0), PrefixBits.maximum) }

    /// In how many bytes a prefix is written.
    var byteCount: Int { (count + 7) / 8 }

    /// What suits a directory of so many rows: nothing is told while all of it fits 1 MiB; of a larger one a bucket has 16 to
    /// 32 rows.
    static func suited(to rows: Int) -> PrefixBits {
        guard rows > wholeDirectory else { return .none }
        return PrefixBits(clamping: (rows / fewestRows).bitWidth - 1 - (rows / fewestRows).leadingZeroBitCount)
    }

    /// What suits now, after what suited before: it falls only when there are a quarter fewer rows than it needs, so that it
    /// does not go back and forth where a few come and go.
    func following(_ rows: Int) -> PrefixBits {
        let lower = PrefixBits.suited(to: rows).count
        let upper = PrefixBits.suited(to: rows + rows / 3).count
        return PrefixBits(clamping: max(lower, min(count, upper)))
    }
}
