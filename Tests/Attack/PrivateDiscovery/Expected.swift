/// What chance alone would give, and how far from it.
struct Expected {
    let mean: Double
    let deviation: Double

    private init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }

    /// How many of `count` happen, each by the same chance.
    init(_ count: Int, chance: Double) {
        self.init(mean: Double(count) * chance, deviation: (Double(count) * chance * (1 - chance)).squareRoot())
    }

    /// How many boxes something falls into, of so many throws.
    static func boxes(_ boxes: Int, of throwCount: Int) -> Expected {
        let empty = 1 - 1 / Double(boxes)
        let mean = Double(boxes) * (1 - Double.power(empty, throwCount))
        return Expected(mean: mean, deviation: max(1, (Double(throwCount) - mean).squareRoot()))
    }

    /// Within five standard deviations: once in two million times it would not be.
    func isLikely(_ count: Int) -> Bool { abs(Double(count) - mean) <= 5 * deviation + 1 }
}

extension Double {
    fileprivate static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * base }
    }
}
