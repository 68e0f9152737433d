import ArgumentParser
import Kinfolk
import KinfolkJSON

struct DocumentList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List documents, in the order of the bytes of their paths.",
        discussion: """
            All conditions must hold. --json also has the versions.

            EXAMPLE
              kinfolk document list --folder notes --name '*.txt' \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Option(help: ArgumentHelp("Only documents in this folder, at any depth.", valueName: "path"))
    var folder: String?

    @Flag(help: "Only those in the folder itself; without --folder, those in no folder.")
    var shallow = false

    @Option(
        help: ArgumentHelp(
            "Only documents with such a name.",
            discussion: "* stands for any characters, ? for one. Quote it: both are special in shells.",
            valueName: "pattern"
        )
    )
    var name: String?

    @Option(help: ArgumentHelp("Only documents whose names begin so.", valueName: "text"))
    var prefix: String?

    @Option(help: ArgumentHelp("Only documents that were changed at this time or later (RFC 3339).", valueName: "date"))
    var modifiedSince: DateArgument?

    @Option(help: ArgumentHelp("Only documents that were last changed before this time.", valueName: "date"))
    var modifiedBefore: DateArgument?

    @Flag(help: "Only documents with conflicts.")
    var conflicts = false

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        var search = DocumentSearch()
        (search.folder, search.isShallow, search.name, search.namePrefix) = (folder, shallow, name, prefix)
        (search.modifiedSince, search.modifiedBefore) = (modifiedSince?.timestamp, modifiedBefore?.timestamp)
        search.hasConflicts = conflicts
        let documents = try session.session(in: service).documents.search(search)
        let json: JSON = ["documents": .array(documents.map { DocumentView($0).json })]
        guard !documents.isEmpty else { return Answer(json, line: "No document.") }
        var table = Table(.flexible("PATH"), .number("BYTES"), .fixed("MODIFIED"), .flexible("NOTE"))
        for document in documents {
            table.add(
                document.path,
                "\(document.current.size)",
                document.modifiedAt.description,
                DocumentView(document).note
            )
        }
        return Answer(json, table: table)
    }
}
