/// How well a number distinguishes two kinds: the probability that a value of the second kind is larger than one of the first.
/// A tie counts half. One half means no information; 1 or 0 means certainty.
enum AreaUnderCurve {
    /// Both sorted.
    static func of(_ first: [UInt64], _ second: [UInt64]) -> Double {
        var (below, upTo) = (0, 0)
        var sum = 0.0
        for value in second {
            while below < first.count, first[below] < value { below += 1 }
            upTo = max(upTo, below)
            while upTo < first.count, first[upTo] <= value { upTo += 1 }
            sum += Double(below) + Double(upTo - below) / 2
        }
        return sum / (Double(first.count) * Double(second.count))
    }
}
