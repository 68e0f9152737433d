import ArgumentParser
import Kinfolk

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a store is undamaged, while it is in use.",
        discussion: """
            It reads every row, and changes nothing. It checks that the file is sound, that every sealed (encrypted) value opens, that \
            every row that the key authenticates is the row that was written, and that the directories hold exactly the people \
            who can be found. The answer names tables, never people.

            If the check finds a fault, the exit status is that of a damaged store (21). A backup is checked when it is restored.
            """
    )

    @OptionGroup var options: StoreOptions

    func run() throws {
        let check = try check(options.open())
        try options.show(answer(check))
        guard !check.isSound else { return }
        let count = check.findings.reduce(0) { $0 + $1.times }
        throw KinfolkError(
            .storeCorrupt,
            "The store is damaged, or was edited without the key: \(count.counted("finding", "findings")). Keep a copy of the file, and "
                + "put a backup in its place: kinfolk restore FILE --store \(options.shownPath)"
        )
    }

    private func check(_ service: Service) throws(KinfolkError) -> StoreCheck {
        var bar = ProgressBar("Checking")
        defer { bar.clear() }
        return try service.check { (rows, total) throws(KinfolkError) in
            try bar.show(
                share: rows.share(of: total),
                rows,
                "rows",
                orStop:
                    "The check was stopped when it had read \(rows) of \(total) rows. Run it again to check the store."
            )
        }
    }

    private func answer(_ check: StoreCheck) -> Answer {
        var tables = Table(.fixed("TABLE"), .number("ROWS"))
        for table in check.tables where table.rows > 0 { tables.add(table.name, "\(table.rows)") }
        let rows = check.rows.counted("row", "rows")
        return Answer(
            [
                "store": .string(options.shownPath),
                "is_sound": .boolean(check.isSound),
                "rows": .count(check.rows),
                "tables": .array(check.tables.map { ["name": .string($0.name), "rows": .count($0.rows)] }),
                "findings": .array(
                    check.findings.map {
                        ["table": .string($0.table), "kind": .text("\($0.kind)"), "times": .count($0.times)]
                    }
                ),
            ],
            [.table(tables)]
                + check.findings.map { finding in
                    let place = finding.table.isEmpty ? "The file" : finding.table
                    return .line("\(place): \(finding.kind.explanation) (\(finding.times.counted("time", "times")))")
                } + [.line(check.isSound ? "\(options.shownPath) is sound: \(rows)." : "Checked \(rows).")]
        )
    }
}
