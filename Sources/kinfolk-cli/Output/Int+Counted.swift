extension Int {
    /// `1 address`, `2 addresses`.
    func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
