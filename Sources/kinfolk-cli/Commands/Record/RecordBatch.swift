import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct RecordBatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Save and delete up to 400 records in one transaction.",
        discussion: """
            Each line of the file is a JSON object for one record, with these members:
              operation   create, update, forceUpdate, replace,
                          forceReplace, delete or forceDelete
              name        the record's name; create without one makes a name
              type        the record type, except for deletions
              change_tag  for update, replace and delete: the tag that
                          the record must have
              parent      the name of the record to which it belongs; null
                          removes it (update and forceUpdate)
              zone        the zone of the record, instead of --zone
              fields      {"title": "Groceries", "done": false,
                          "tags": {"type": "string[]", "value": ["a", "b"]}}

            A string, a number or a boolean can stand alone; other values need their type. The forms are those that "record \
            fetch --json" prints. A field that is null is removed (update and forceUpdate). If a line is malformed, nothing is \
            changed.

            The answer has one result for each line. If a line failed, the exit status is that of the first error; the other \
            lines are done, unless --atomic is given.

            EXAMPLE
              kinfolk record batch notes.jsonl --atomic --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @Flag(help: "Change nothing if one line fails.")
    var atomic = false

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    /// Texts of 2 MB can be six times as long in JSON, and have names and brackets around them.
    private static let maximumFileSize = 32_000_000

    func validate() throws { try options.key.validate(besides: file) }

    func run() throws {
        let service = try options.open()
        let database = try self.database.database(in: service)
        let lines = try BatchLine.all(
            in: File.read(file.input, limit: RecordBatch.maximumFileSize),
            for: database,
            zone: self.database.zone
        )
        let results = try run(lines, in: database)
        service.removeDeletedFiles()
        try options.show(results.changes(isAtomic: atomic))
        try results.throwFailure(isAtomic: atomic)
    }

    private func run(_ lines: [BatchLine], in database: Database) throws(KinfolkError) -> RecordResults {
        do {
            let results = try database.run(lines.map(\.operation), atomically: atomic)
            return RecordResults(
                zip(lines, results).map { line, result in
                    RecordResult(line: line.number, operation: line.name, id: line.operation.id, result: result)
                },
                deleted: results.deleted
            )
        } catch {
            guard error.code == .limitExceeded else { throw error }
            throw error.advising(
                "The file has \(lines.count.counted("line", "lines")). Split it, and run one batch for each part."
            )
        }
    }
}
