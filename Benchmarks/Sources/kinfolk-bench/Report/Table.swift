/// The figures for people, at most 80 columns wide.
enum Table {
    private static let nameWidth = 32

    static var header: String {
        line("", "value", "floor", "ratio", "goal", "met")
    }

    static func text(_ section: Section) -> String {
        let rows = section.rows.map { row in
            line(
                row.name,
                row.unit.text(row.value),
                row.floor.map(row.unit.text) ?? "",
                row.ratio.map(Unit.times.text) ?? "",
                row.goal?.text(row.unit) ?? "",
                mark(row)
            )
        }
        return ([section.title] + rows.map { "  " + $0 }).joined(separator: "\n")
    }

    static func mark(_ row: Row) -> String { row.isMet.map { $0 ? "✓" : "missed" } ?? "" }

    private static func line(
        _ name: String,
        _ value: String,
        _ floor: String,
        _ ratio: String,
        _ goal: String,
        _ met: String
    ) -> String {
        let cells = [(value, 10), (floor, 10), (ratio, 7), (goal, 9)].map { text, width in
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
        var line = name + padding + cells.joined() + "  " + met
        while line.last == " " { line.removeLast() }
        return line
    }
}
