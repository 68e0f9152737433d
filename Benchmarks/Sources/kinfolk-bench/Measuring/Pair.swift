/// The product and its floor, measured by turns: product, floor, product, floor, … So other work on the machine affects
/// both.
struct Pair {
    /// Medians of the runs, in seconds.
    let product: Double
    let floor: Double
    /// The median of the ratios of the runs: the product's time over that of the floor's run next to it.
    let ratio: Double
    /// The median of the differences of the runs, in seconds: the product's time minus that of the floor's run next to it.
    let difference: Double

    /// - Parameters:
    ///   - stopwatch: Use processor time for work that only computes.
    ///   - runs: The number of runs of each. One more run is made first to warm up, and is not counted.
    ///   - repeats: How often the work is done in a run. The results are for one repetition.
    ///   - prepare: Runs before each measurement, and is not counted.
    ///   - product: The work. Its argument is the number of the run.
    init(
        _ stopwatch: Stopwatch,
        runs: Int,
        repeats: Int = 1,
        prepare: (Int) throws -> Void = { _ in },
        product: (Int) throws -> Void,
        floor: (Int) throws -> Void
    ) throws {
        var (products, floors): ([Double], [Double]) = ([], [])
        for run in 0...runs {
            try prepare(run)
            let ofProduct = try stopwatch.time { for _ in 0..<repeats { try product(run) } }
            try prepare(run)
            let ofFloor = try stopwatch.time { for _ in 0..<repeats { try floor(run) } }
            guard run > 0 else { continue }
            products.append(ofProduct / Double(repeats))
            floors.append(ofFloor / Double(repeats))
        }
        self.init(products, floors)
    }

    /// The times for one of `count` items that the work processes.
    func divided(by count: Int) -> Pair {
        Pair(
            product: product / Double(count),
            floor: floor / Double(count),
            ratio: ratio,
            difference: difference / Double(count)
        )
    }

    private init(product: Double, floor: Double, ratio: Double, difference: Double) {
        self.product = product
        self.floor = floor
        self.ratio = ratio
        self.difference = difference
    }

    /// Makes a pair from times that were measured by turns.
    init(_ products: [Double], _ floors: [Double]) {
        product = median(products)
        floor = median(floors)
        ratio = median(zip(products, floors).map { $0 / $1 })
        difference = median(zip(products, floors).map { $0 - $1 })
    }
}
