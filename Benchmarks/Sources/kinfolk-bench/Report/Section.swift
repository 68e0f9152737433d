/// The rows of one kind of work.
struct Section {
    let title: String
    let rows: [Row]

    func name(of row: Row) -> String { "\(title): \(row.name)" }
}
