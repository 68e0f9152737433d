import ArgumentParser
import Kinfolk
import KinfolkJSON

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a store is undamaged, while it is in use.",
        discussion: """
            It reads every row, and changes nothing unless --repair is given. It checks that the file is sound, that every sealed (encrypted) value opens, that \
            every row that the key authenticates is the row that was written, and that the directories hold exactly the people \
            who can be found. The answer names tables, never people.

            If the check finds a fault, the exit status is that of a damaged store (21). A backup is checked when it is restored.

            --repair corrects one kind of fault: counts of stored bytes that are wrong, on which quotas depend. If nothing else is \
            wrong, it counts the bytes of all records and assets again, and checks the store once more. While a container is \
            counted, others cannot write. It repairs nothing else: for any other fault, put a backup in the store's place.
            """
    )

    @Flag(help: "If only the counts of stored bytes are wrong, correct them.")
    var repair = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard !repair || !options.readOnly else {
            throw ValidationError("--repair and --read-only exclude each other.")
        }
    }

    func run() throws {
        let service = try options.open()
        var check = try check(service)
        let isRepaired = repair && check.hasOnlyWrongByteCounts
        if isRepaired {
            try service.recountBytes()
            check = try self.check(service)
        }
        try options.show(answer(check, isRepaired: isRepaired))
        guard !check.isSound else { return }
        let count = check.findings.reduce(0) { $0 + $1.times }.counted("finding", "findings")
        guard repair || !check.hasOnlyWrongByteCounts else {
            throw KinfolkError(
                .storeCorrupt,
                "The store was edited without Kinfolk: \(count). Only counts of stored bytes are wrong, which \"kinfolk check "
                    + "--repair\" corrects."
            )
        }
        throw KinfolkError(
            .storeCorrupt,
            "The store is damaged, or was edited without the key: \(count). Keep a copy of the file, and "
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

    private func answer(_ check: StoreCheck, isRepaired: Bool) -> Answer {
        var tables = Table(.fixed("TABLE"), .number("ROWS"))
        for table in check.tables where table.rows > 0 { tables.add(table.name, "\(table.rows)") }
        let rows = check.rows.counted("row", "rows")
        return Answer(
            [
                "store": .string(options.shownPath),
                "is_sound": .boolean(check.isSound),
                "repaired": .boolean(isRepaired),
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
                }
                + (isRepaired ? [.line("The counts of stored bytes were wrong: they were counted again.")] : [])
                + [.line(check.isSound ? "\(options.shownPath) is sound: \(rows)." : "Checked \(rows).")]
        )
    }
}

extension StoreCheck {
    /// Whether the counts of stored bytes are wrong, and nothing else.
    fileprivate var hasOnlyWrongByteCounts: Bool {
        !isSound && findings.allSatisfy { $0.kind == .miscounted && ["assets", "record_bytes"].contains($0.table) }
    }
}
