import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store from a file to a server, or back, while it is in use.",
        discussion: """
            Source and destination are each a file or the address of a PostgreSQL database (postgresql://...). The copy has the state of \
            the source at one moment, and opens with the same key. The command reads all rows of the copy again and compares \
            them; the copy cannot be opened before that.

            Run the command again after an interruption: the rows that the copy already has stay. Run it again later to bring the \
            copy up to date; that works until the copy is opened. So to move a store: copy it, stop all programs that use it, \
            copy it again, and let the programs use the copy.

            All users of the machine can read a command line: put the password of a database in the file that $PGPASSFILE \
            names, or in a service file.
            """
    )

    @Argument(help: ArgumentHelp("The store to copy.", valueName: "source"), completion: .file(extensions: ["db"]))
    var source: FilePath

    @Argument(
        help: ArgumentHelp("The place of the copy. It must not hold another store.", valueName: "destination"),
        completion: .file(extensions: ["db"])
    )
    var destination: FilePath

    @OptionGroup var key: KeyOptions

    @Flag(help: "Answer with one JSON document.")
    var json = false

    func run() throws {
        StoreWarnings.password(in: source)
        StoreWarnings.password(in: destination)
        let service = try StoreOptions.open(source, key, otherwise: "as the source")
        let start = ContinuousClock.now
        let copy = try copy(service)
        try answer(copy, after: ContinuousClock.now - start).show(asJSON: json)
    }

    private func copy(_ service: Service) throws(KinfolkError) -> StoreCopy {
        var bar = ProgressBar("Comparing")
        defer { bar.clear() }
        var step: StoreCopy.Progress.Step?
        return try service.copy(to: destination) { (progress) throws(KinfolkError) in
            if progress.step != step {
                step = progress.step
                bar.restart(progress.step.verb)
            }
            try bar.show(
                share: progress.total.map { progress.rows.share(of: $0) },
                progress.rows,
                "rows",
                orStop:
                    "The copy was stopped, and cannot be opened yet. Run it again to resume: the rows that it has stay."
            )
        }
    }

    private func answer(_ copy: StoreCopy, after duration: Duration) -> Answer {
        let place = StoreFile.shown(destination)
        let keyFile = key.path(forStore: source)
        var table = Table(.fixed("TABLE"), .number("ROWS"), .number("COPIED"))
        for part in copy.tables where part.rows > 0 { table.add(part.name, "\(part.rows)", "\(part.copiedRows)") }
        let rows = copy.rows.counted("row", "rows")
        return Answer(
            [
                "source": .string(StoreFile.shown(source)),
                "destination": .string(place),
                "tables": .array(
                    copy.tables.map { part in
                        ["name": .string(part.name), "rows": .count(part.rows), "copied_rows": .count(part.copiedRows)]
                    }
                ),
                "rows": .count(copy.rows),
                "copied_rows": .count(copy.copiedRows),
                "checksum": .string(copy.checksum),
                "key_file": .path(keyFile),
                "seconds": .double(duration.seconds),
            ],
            [
                .table(table),
                .line("Copied the store to \(place): \(rows), \(copy.copiedRows) written now (\(duration.shown))."),
                .line("Read again, they have the checksum \(copy.checksum)."),
                .line(
                    keyFile.map { "It opens with \($0.shown), which is not in it: name it with --key-file." }
                        ?? "It opens with the passphrase."
                ),
            ]
        )
    }
}

extension StoreCopy.Progress.Step {
    fileprivate var verb: String {
        switch self {
        case .comparing: "Comparing"
        case .copying: "Copying"
        case .verifying: "Verifying"
        }
    }
}
