import Kinfolk
import KinfolkJSON

/// The entries of a file that could not be used: the first few with line and reason, and the number of the others.
struct SkippedView {
    private static let shown = 20

    private let skipped: [(line: Int, reason: String)]
    private let count: Int

    /// - Parameter count: The number of skipped entries, listed or not.
    init(_ skipped: [(line: Int, reason: String)], count: Int) {
        self.skipped = skipped
        self.count = count
    }

    /// The skipped entries of a contact file, as JSON.
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
