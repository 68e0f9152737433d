/// How a number went over time, as bars of block elements: a column for each value, or the last of those that share one.
struct Plot {
    private static let widest = 60
    private static let height = 5
    private static let eighths = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One value for each step of time, none negative.
    let values: [Int]

    func text(on terminal: Terminal) -> String {
        guard let top = values.max(), top > 0 else { return "" }
        let label = String(top).count
        // Beside the bars: the label, a space, the axis, and a column that stays free, where some terminals begin a new line.
        let width = min(Plot.widest, max(1, (terminal.width ?? 80) - label - 3))
        let bars = columns(width).map { value in
            value == 0 ? 0 : max(1, (value * Plot.height * 8 + top / 2) / top)
        }
        var text = ""
        for row in (0..<Plot.height).reversed() {
            var line = bars.map { Plot.eighths[min(8, max(0, $0 - row * 8))] }.map { $0.isEmpty ? " " : $0 }.joined()
            while line.last == " " { line.removeLast() }
            let mark = row == Plot.height - 1 ? String(top) : row == 0 ? "0" : ""
            let padding = String(repeating: " ", count: label - mark.count)
            text += "\(padding)\(mark) │" + (line.isEmpty ? "" : terminal.drawn(line)) + "\n"
        }
        return text
    }

    /// As many values as there are columns; where there is room, several columns for a value.
    private func columns(_ width: Int) -> [Int] {
        guard values.count <= width else {
            return (1...width).map { values[$0 * values.count / width - 1] }
        }
        let each = min(8, width / values.count)
        return values.flatMap { [Int](repeating: $0, count: each) }
    }
}
