import Kinfolk

/// A bar on standard error that shows the progress and the speed of long work, if standard error is a terminal.
///
/// It appears after a delay, because most work is done before anybody would read it.
struct ProgressBar {
    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)
    private static let length = 24

    private let verb: String
    private let start = ContinuousClock.now
    private var next: ContinuousClock.Instant
    private var isShown = false

    init(_ verb: String) {
        self.verb = verb
        next = start + ProgressBar.delay
    }

    /// Shows what share of the work is done, if that is known, and how many items are done.
    mutating func show(share: Double?, _ count: Int, _ items: String) {
        guard Terminal.errors.isTerminal, ContinuousClock.now >= next else { return }
        let now = ContinuousClock.now
        next = now + ProgressBar.interval
        isShown = true
        let seconds = max((now - start).seconds, 0.001)
        var parts = ["\(count) \(items)", "\(Int(Double(count) / seconds))/s"]
        if let share, share > 0 {
            let filled = min(ProgressBar.length, Int(share * Double(ProgressBar.length)))
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: ProgressBar.length - filled)
            parts.insert("[\(bar)] \(min(100, Int(share * 100)))%", at: 0)
            parts.append("\(Int(seconds / share - seconds + 0.5)) s left")
        }
        // Goes to the first column, overwrites the line, and clears the rest of it.
        let line = VisibleText("\(verb) \(parts.joined(separator: "  "))").cut(to: (Terminal.errors.width ?? 80) - 1)
        Streams.complain("\r\(line.text)\u{1b}[K")
    }

    /// Removes the bar.
    func clear() {
        if isShown { Streams.complain("\r\u{1b}[K") }
    }
}
