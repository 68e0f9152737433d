import TestSupport

/// Draws one of several items, each as often as its weight says.
struct WeightedChoice {
    let weights: [Double]
    private let sums: [Double]

    init(_ weights: [Double]) {
        self.weights = weights
        var sum = 0.0
        sums = weights.map { weight in
            sum += weight
            return sum
        }
    }

    func draw(_ generator: inout SeededGenerator) -> Int {
        let value = Double.random(in: 0..<(sums.last ?? 0), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > value { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
