import Kinfolk

/// What of a file could not be used: the first few by line and reason, the others by number.
struct SkippedView {
    private static let shown = 20

    private let skipped: [(line: Int, reason: String)]
    private let count: Int

    /// - Parameter count: How many there are, listed or not.
    init(_ skipped: [(line: Int, reason: String)], count: Int) {
        self.skipped = skipped
        self.count = count
    }

    /// Those of a contact file, for machines.
    static func json(_ skipped: [ContactImport.Skip]) -> JSON {
        .array(
            skipped.map { skip in
                ["line": .count(skip.line), "code": .string(skip.reason.name), "reason": .string(skip.reason.sentence)]
            }
        )
    }

    var blocks: [Answer.Block] {
        guard count > 0 else { return [] }
        var table = Table(.number("LINE"), .flexible("SKIPPED BECAUSE"))
        let first = skipped.prefix(SkippedView.shown)
        for skip in first { table.add("\(skip.line)", skip.reason) }
        let more = count - first.count
        return [.line(""), .table(table)] + (more > 0 ? [.line("and \(more) more")] : [])
    }
}
