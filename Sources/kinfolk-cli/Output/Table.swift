/// Rows under headings, aligned by the width of the characters on a terminal.
struct Table {
    struct Column {
        let heading: String
        var isFlexible = false
        var isNumber = false

        /// A column that is never cut: for identifiers and moments.
        static func fixed(_ heading: String) -> Column { Column(heading: heading) }
        /// A column that is cut if the terminal is narrow.
        static func flexible(_ heading: String) -> Column { Column(heading: heading, isFlexible: true) }
        static func number(_ heading: String) -> Column { Column(heading: heading, isNumber: true) }
    }

    private static let gap = 2
    private static let narrowest = 8

    private let columns: [Column]
    private var rows: [[VisibleText]] = []

    init(_ columns: Column...) { self.columns = columns }

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ cells: String...) { add(cells) }

    mutating func add(_ cells: some Sequence<String>) { rows.append(cells.map(VisibleText.init)) }

    func text(on terminal: Terminal) -> String {
        guard !isEmpty else { return "" }
        let headings = columns.map { VisibleText($0.heading) }
        let widths = widths(headings, limit: terminal.width)
        var text = terminal.emphasised(line(headings, widths)) + "\n"
        for row in rows { text += line(row, widths) + "\n" }
        return text
    }

    /// As wide as the widest cell of each column; flexible columns are narrowed to stay within the limit, if that is possible.
    private func widths(_ headings: [VisibleText], limit: Int?) -> [Int] {
        var widths = headings.map(\.width)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
        }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + Table.gap * (widths.count - 1) - limit
        while excess > 0 {
            let flexible = widths.indices.filter { columns[$0].isFlexible && widths[$0] > Table.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [VisibleText], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let cell = cell.cut(to: widths[index])
            let padding = String(repeating: " ", count: widths[index] - cell.width)
            if index > 0 { line += String(repeating: " ", count: Table.gap) }
            line += columns[index].isNumber ? padding + cell.text : cell.text + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
