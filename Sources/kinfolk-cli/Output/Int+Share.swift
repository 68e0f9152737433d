extension Int {
    /// How much of `total` this is, from 0 to 1. Nothing of nothing is 0.
    func share(of total: Int) -> Double { Double(self) / Double(Swift.max(total, 1)) }
}
