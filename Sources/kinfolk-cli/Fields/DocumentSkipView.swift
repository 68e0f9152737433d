import Kinfolk
import KinfolkJSON

/// Files that an export or an import of documents has left out: the first few with the reasons, and the number of the others.
struct DocumentSkipView {
    private static let shown = 20

    private let skipped: [DocumentSkip]
    private let count: Int

    /// - Parameter count: The number of skipped files, listed or not.
    init(_ skipped: [DocumentSkip], count: Int) { (self.skipped, self.count) = (skipped, count) }

    var members: [(String, JSON)] {
        [
            ("skipped_count", .count(count)),
            (
                "skipped",
                .array(
                    skipped.map { skip in
                        [
                            "path": .string(skip.path), "code": .string("\(skip.reason)"),
                            "reason": .string(skip.reason.sentence),
                        ]
                    }
                )
            ),
        ]
    }

    var blocks: [Answer.Block] {
        guard count > 0 else { return [] }
        var table = Table(.flexible("FILE"), .flexible("LEFT OUT BECAUSE"))
        let first = skipped.prefix(DocumentSkipView.shown)
        for skip in first { table.add(skip.path, skip.reason.sentence) }
        let more = count - first.count
        return [.line(""), .table(table)] + (more > 0 ? [.line("and \(more) more")] : [])
    }
}
