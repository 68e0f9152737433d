import TestSupport

/// Two fields of a record type, with a few values each, whose statistics everybody knows. The second depends on the first, as a
/// language depends on a city.
struct Survey {
    enum Shape: String, CaseIterable {
        /// The n-th most frequent value is n times rarer than the first (Zipf's law).
        case uneven
        /// All values are equally frequent.
        case even
    }

    let valueCount: Int
    let shape: Shape
    /// The name of the record type.
    var type: String { "Survey\(shape)\(valueCount)" }
    /// The probability of each pair of values, first field first.
    let pairs: [[Double]]

    init(_ valueCount: Int, _ shape: Shape) {
        self.valueCount = valueCount
        self.shape = shape
        var generator = SeededGenerator(seed: UInt64(valueCount))
        let total = (1...valueCount).reduce(0) { $0 + 1 / Double($1) }
        let favourites = (0..<valueCount).shuffled(using: &generator)
        pairs = (0..<valueCount).map { first in
            let share = shape == .even ? 1 / Double(valueCount) : 1 / Double(first + 1) / total
            // Each value of the first field goes with those of the second in an order of its own.
            var order = (0..<valueCount).shuffled(using: &generator)
            order.removeAll { $0 == favourites[first] }
            order.insert(favourites[first], at: 0)
            var row = Array(repeating: 0.0, count: valueCount)
            for (rank, second) in order.enumerated() { row[second] = share / Double(rank + 1) / total }
            return row
        }
    }

    /// The probability of each value of a field (0 or 1).
    func shares(ofField field: Int) -> [Double] {
        (0..<valueCount).map { value in
            let row: [Double] = field == 0 ? pairs[value] : pairs.map { $0[value] }
            return row.reduce(0, +)
        }
    }

    /// The values of a record.
    func draw(_ generator: inout SeededGenerator) -> [Int] {
        var rest = Double.random(in: 0..<1, using: &generator)
        for (first, row) in pairs.enumerated() {
            for (second, share) in row.enumerated() {
                rest -= share
                if rest < 0 { return [first, second] }
            }
        }
        return [valueCount - 1, valueCount - 1]
    }
}
