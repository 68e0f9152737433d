import Kinfolk

/// Shows the progress of long work on standard error, if that is a terminal, and ends the work at Ctrl-C.
///
/// The bar appears after a delay, because most work is done before anybody would read it. From `init` to `clear()` Ctrl-C only sets a
/// flag, and the next call of `show` ends the work: see ``Interruption``.
struct ProgressBar {
    private static let delay = Duration.milliseconds(300)
    private static let interval = Duration.milliseconds(100)
    private static let length = 24
    /// The share of the work from which its end is estimated. Earlier estimates are far too long, because the work begins slowly.
    private static let leastShare = 0.02

    private var verb: String
    private var start = ContinuousClock.now
    private var next: ContinuousClock.Instant
    private var isShown = false
    private let isReading: Bool

    /// - Parameter isReading: Whether the work only reads. Then Ctrl-C ends the process at once, as it does by default.
    init(_ verb: String, isReading: Bool = false) {
        self.verb = verb
        self.isReading = isReading
        next = start + ProgressBar.delay
        if !isReading { Interruption.watch() }
    }

    /// Begins the next step of the same work.
    mutating func restart(_ verb: String) {
        erase()
        self.verb = verb
        start = .now
        next = start + ProgressBar.delay
    }

    /// Shows what share of the work is done, if that is known, and how many items are done. Throws if Ctrl-C was pressed.
    ///
    /// - Parameter done: What to say if the work ends here: what was done, and what to do next. Nil where the work cannot end.
    mutating func show(
        share: Double?,
        _ count: Int,
        _ items: String,
        orStop done: @autoclosure () -> String?
    ) throws(KinfolkError) {
        draw(share: share, count, items)
        try Interruption.check(done())
    }

    /// Shows the same, for work that only reads.
    mutating func draw(share: Double?, _ count: Int, _ items: String) {
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
            if share >= ProgressBar.leastShare { parts.append("\(Int(seconds / share - seconds + 0.5)) s left") }
        }
        // Goes to the first column, overwrites the line, and clears the rest of it.
        let line = VisibleText("\(verb) \(parts.joined(separator: "  "))").cut(to: (Terminal.errors.width ?? 80) - 1)
        Streams.complain("\r\(line.text)\u{1b}[K")
    }

    /// Removes the bar. From now on Ctrl-C ends the process at once.
    mutating func clear() {
        erase()
        if !isReading { Interruption.unwatch() }
    }

    private mutating func erase() {
        if isShown { Streams.complain("\r\u{1b}[K") }
        isShown = false
    }
}
