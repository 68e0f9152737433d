/// A number over time, as bars of block elements: a column for each value. If several values share a column, it shows the last.
struct Plot {
    private static let widest = 60
    private static let height = 5
    private static let eighths = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One value for each step of time; no value is negative.
    let values: [Int]

    func text(on terminal: Terminal) -> String {
        guard let top = values.max(), top > 0 else { return "" }
        let label = String(top).count
        // Left of the bars: the label, a space and the axis. The last column stays free, because some terminals begin a new line there.
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

    /// One value for each column; if there is room, a value gets several columns.
    private func columns(_ width: Int) -> [Int] {
        guard values.count <= width else {
            return (1...width).map { values[$0 * values.count / width - 1] }
        }
        let each = min(8, width / values.count)
        return values.flatMap { [Int](repeating: $0, count: each) }
    }
}
