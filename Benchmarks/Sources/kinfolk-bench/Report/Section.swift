/// The rows of one group of measurements.
struct Section {
    let title: String
    let rows: [Row]

    func name(of row: Row) -> String { "\(title): \(row.name)" }
}
