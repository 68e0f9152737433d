import ArgumentParser
import Kinfolk

struct RecordFetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Show records, with who created and changed them and when.",
        discussion: """
            One name shows one record. Several names, at most 400, show one result for each: the record, or why it cannot be \
            shown. If one of them cannot be shown, the exit status is that of the first such error.

            EXAMPLE
              kinfolk record fetch groceries --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The records' names.", valueName: "record-name"))
    var names: [String]

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func run() throws {
        var ids: [RecordID] = []
        for name in names { ids.append(try database.recordID(name)) }
        let database = try database.database(in: options.open())
        guard ids.count > 1 else { return try options.show(RecordView(database.fetch(ids[0])).answer) }
        let results = RecordResults(
            try zip(ids, database.fetch(ids)).map { RecordResult(id: $0, result: $1.map { .some($0) }) }
        )
        try options.show(results.records)
        try results.throwFailure()
    }
}
