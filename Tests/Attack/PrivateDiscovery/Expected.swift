/// A number that chance alone would give, and its standard deviation.
struct Expected {
    let mean: Double
    let deviation: Double

    private init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }

    /// How many of `count` events happen, each with the same probability.
    init(_ count: Int, chance: Double) {
        self.init(mean: Double(count) * chance, deviation: (Double(count) * chance * (1 - chance)).squareRoot())
    }

    /// How many boxes are hit if balls are thrown at random.
    static func boxes(_ boxes: Int, of throwCount: Int) -> Expected {
        let empty = 1 - 1 / Double(boxes)
        let mean = Double(boxes) * (1 - Double.power(empty, throwCount))
        return Expected(mean: mean, deviation: max(1, (Double(throwCount) - mean).squareRoot()))
    }

    /// Whether a number is within five standard deviations. By chance it is not once in two million times.
    func isLikely(_ count: Int) -> Bool { abs(Double(count) - mean) <= 5 * deviation + 1 }
}

extension Double {
    static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * base }
    }
}
