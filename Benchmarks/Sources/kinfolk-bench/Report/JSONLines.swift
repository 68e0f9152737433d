/// The figures for programs: one JSON object for each row, on one line.
enum JSONLines {
    static func text(_ section: Section) -> String {
        section.rows.map { row in
            let members = [
                ("name", quoted(section.name(of: row))),
                ("value", number(row.value)),
                ("unit", quoted(row.unit.rawValue)),
                ("floor", number(row.floor)),
                ("ratio", number(row.ratio)),
                ("goal", row.goal.map { quoted($0.text(row.unit)) } ?? "null"),
                ("met", row.isMet.map(String.init) ?? "null"),
            ]
            return "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}\n"
        }.joined()
    }

    private static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "null" }
        return String(value)
    }

    /// The names of rows have neither quotation marks nor backslashes.
    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
