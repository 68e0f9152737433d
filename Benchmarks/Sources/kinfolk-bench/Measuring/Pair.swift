/// The product and its floor, measured in turn: product, floor, product, floor, … So whatever else the machine does falls
/// on both.
struct Pair {
    /// Medians of the runs, in seconds.
    let product: Double
    let floor: Double
    /// The median of the ratios of the runs, each of the product to the floor's next to it.
    let ratio: Double
    /// The median of what the product takes longer in a run than the floor next to it, in seconds.
    let difference: Double

    /// - Parameters:
    ///   - stopwatch: The processor's for what only computes.
    ///   - runs: How many of each. One more goes before them, to warm up, and is not counted.
    ///   - repeats: How often the work is done in a run. The times are of one.
    ///   - prepare: What goes before each of the two in a run, and is not counted.
    ///   - product: The work, told which run it is.
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

    /// The times of one of `count` things that the work was done for.
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

    /// From what was measured in turn.
    init(_ products: [Double], _ floors: [Double]) {
        product = median(products)
        floor = median(floors)
        ratio = median(zip(products, floors).map { $0 / $1 })
        difference = median(zip(products, floors).map { $0 - $1 })
    }
}
