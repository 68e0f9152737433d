/// The figures for `docs/performance.md`.
enum Markdown {
    static let header = """
        | work | measured | floor | ratio | goal | met |
        |---|---:|---:|---:|---:|---|

        """

    static func text(_ section: Section) -> String {
        let rows = section.rows.map { row in
            let cells = [
                row.name,
                row.unit.text(row.value),
                row.floor.map(row.unit.text) ?? "",
                row.ratio.map(Unit.times.text) ?? "",
                row.goal?.text(row.unit) ?? "",
                Table.mark(row),
            ]
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        return "| **\(section.title)** | | | | | |\n" + rows.joined()
    }
}
