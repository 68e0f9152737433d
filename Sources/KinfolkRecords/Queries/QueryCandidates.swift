/// The records that satisfy the condition of a query, which are looked for in the order of an index.
///
/// If every second record satisfies it, a page is found among few entries of that index, each of which is looked up. If no page was found
/// among ``maximumLookUps`` of them, the numbers of all candidates are read.
final class QueryCandidates {
    /// How many entries are looked up before the numbers are read.
    private static let maximumLookUps = 1_024

    private let source: QuerySource?
    private let reader: QueryReader
    private var lookUpsLeft: Int
    private var numbers: Set<Int64>?
    /// How many of the numbers were not met yet.
    private var left = Int.max

    /// - Parameter looksUp: Whether to look up entries first.
    init(_ source: QuerySource?, _ reader: QueryReader, looksUp: Bool) {
        self.source = source
        self.reader = reader
        lookUpsLeft = looksUp ? QueryCandidates.maximumLookUps : 0
    }

    /// Whether some candidates may not have been met yet.
    var mayHaveMore: Bool { left > 0 }

    /// Those of the numbers that are candidates, in the same order.
    func among(_ found: [Int64]) throws -> [Int64] {
        if let source, numbers == nil, found.count <= lookUpsLeft {
            lookUpsLeft -= found.count
            let candidates = Set(try reader.filter(found.sorted(), by: source))
            return found.filter(candidates.contains)
        }
        let candidates = try numbers ?? Set(reader.numbers(source))
        if numbers == nil { (numbers, left) = (candidates, candidates.count) }
        let matches = found.filter(candidates.contains)
        left -= matches.count
        return matches
    }
}
