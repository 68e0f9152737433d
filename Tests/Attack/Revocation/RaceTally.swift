/// Counts of the discoveries and their results.
struct RaceTally: Sendable {
    var discoveries = 0
    /// The person was found before the revoking call returned, which is right.
    var foundBefore = 0
    /// Discoveries that were running when the call returned: either answer is right.
    var inFlight = 0
    /// Discoveries that began after it had returned.
    var begunAfter = 0
    /// Of these, the ones that began within 0.1 ms.
    var begunAtOnce = 0
    /// Of these, the ones that found the person all the same: the promise is broken.
    var broken = 0
    var brokenWays: Set<String> = []

    static func + (left: RaceTally, right: RaceTally) -> RaceTally {
        var sum = left
        sum.discoveries += right.discoveries
        sum.foundBefore += right.foundBefore
        sum.inFlight += right.inFlight
        sum.begunAfter += right.begunAfter
        sum.begunAtOnce += right.begunAtOnce
        sum.broken += right.broken
        sum.brokenWays.formUnion(right.brokenWays)
        return sum
    }

    /// One line, for the other process.
    var line: String {
        "\(discoveries) \(foundBefore) \(inFlight) \(begunAfter) \(begunAtOnce) \(broken) "
            + brokenWays.sorted().joined(separator: ",")
    }

    init() {}

    init?(line: String) {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        let numbers = parts.prefix(6).compactMap { Int($0) }
        guard parts.count == 7, numbers.count == 6 else { return nil }
        (discoveries, foundBefore, inFlight) = (numbers[0], numbers[1], numbers[2])
        (begunAfter, begunAtOnce, broken) = (numbers[3], numbers[4], numbers[5])
        brokenWays = Set(parts[6].split(separator: ",").map(String.init))
    }
}
