import Glibc

/// Prints findings in four columns, 80 characters wide.
struct FindingTable {
    private let widths = [12, 28, 28, 6]

    func printHead() {
        print(row(["promise", "tried", "found", ""]))
        printRule()
    }

    func print(_ promise: String, _ findings: [Finding]) {
        for (index, finding) in findings.enumerated() {
            let cells = [
                index == 0 ? promise : "", finding.tried, finding.found, finding.isHeld ? "held" : "BROKEN",
            ].enumerated().map { column, text in wrapped(text, widths[column]) }
            for line in 0..<(cells.map(\.count).max() ?? 0) {
                print(row(cells.map { line < $0.count ? $0[line] : "" }))
            }
        }
        printRule()
    }

    private func printRule() { print(row(widths.map { String(repeating: "-", count: $0) })) }

    /// Flushes, so that the line appears at once in a pipe too.
    private func print(_ line: String) {
        Swift.print(line)
        fflush(nil)
    }

    private func row(_ cells: [String]) -> String {
        var line = ""
        for (cell, width) in zip(cells, widths) {
            line += (line.isEmpty ? "" : "  ") + cell + String(repeating: " ", count: max(0, width - cell.count))
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
                continue
            }
            var rest = word
            while rest.count > width {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
            lines.append(String(rest))
        }
        return lines
    }
}
