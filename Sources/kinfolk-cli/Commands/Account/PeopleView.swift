import Kinfolk
import KinfolkJSON

/// The result of importing a file of people, as it is shown.
struct PeopleView {
    private static let shownColumns = 20

    let people: PeopleImport
    let duration: Duration

    var answer: Answer {
        Answer(
            json,
            [
                .line("\(people.created.counted("account", "accounts")) made (\(duration.shown))."),
                .line(
                    "Discoverability: \(people.granted) granted, \(people.denied) denied, "
                        + "\(people.undetermined) undetermined."
                ),
            ] + ignored
                + SkippedView(people.skipped.map { ($0.line, $0.reason.sentence) }, count: people.skippedCount).blocks
        )
    }

    private var ignored: [Answer.Block] {
        guard !people.ignoredColumns.isEmpty else { return [] }
        let more = people.ignoredColumns.count - PeopleView.shownColumns
        let shown = people.ignoredColumns.prefix(PeopleView.shownColumns) + (more > 0 ? ["and \(more) more"] : [])
        return [.line("Ignored columns: \(shown.joined(separator: ", ")).")]
    }

    private var json: JSON {
        [
            "rows": .count(people.rows),
            "created": .count(people.created),
            "granted": .count(people.granted),
            "denied": .count(people.denied),
            "undetermined": .count(people.undetermined),
            "ignored_columns": .array(people.ignoredColumns.map(JSON.string)),
            "skipped_count": .count(people.skippedCount),
            "skipped": .array(
                people.skipped.map { skip in
                    [
                        "line": .count(skip.line),
                        "code": .string(skip.reason.name),
                        "reason": .string(skip.reason.sentence),
                    ]
                }
            ),
            "seconds": .double(duration.seconds),
        ]
    }
}
