import Kinfolk

/// The result of importing a file of people, as it is shown.
struct PeopleView {
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
            ] + SkippedView(people.skipped.map { ($0.line, $0.reason.sentence) }, count: people.skippedCount).blocks
        )
    }

    private var json: JSON {
        [
            "rows": .count(people.rows),
            "created": .count(people.created),
            "granted": .count(people.granted),
            "denied": .count(people.denied),
            "undetermined": .count(people.undetermined),
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
