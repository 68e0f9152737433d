/// A figure and what it is of.
struct Row {
    let name: String
    let value: Double
    let unit: String

    init(_ name: String, _ value: Double, _ unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}

/// The figures of a run, in columns.
struct Table {
    private var rows: [Row] = []

    mutating func add(_ more: [Row]) { rows += more }

    func print() {
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let value = Table.number(row.value)
            let name = row.name + String(repeating: " ", count: width - row.name.count)
            Swift.print("\(name)  \(String(repeating: " ", count: max(0, 12 - value.count)))\(value) \(row.unit)")
        }
    }

    /// Three digits that count, and groups of three.
    private static func number(_ value: Double) -> String {
        guard value < 100 else {
            var digits = String(Int(value.rounded()))
            var groups: [String] = []
            while digits.count > 3 {
                groups.insert(String(digits.suffix(3)), at: 0)
                digits.removeLast(3)
            }
            return ([digits] + groups).joined(separator: ",")
        }
        let decimals = value < 10 ? 100.0 : 10.0
        return String((value * decimals).rounded() / decimals)
    }
}
