import ArgumentParser

struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Keep a person's documents: named files with versions, the same on all devices.",
        discussion: """
            A document has a path: names with / between them, such as notes/list.txt. It has 1 to 32 names of 1 to 255 bytes, \
            without control characters, and at most 1,024 bytes. Folders exist as long as documents are in them.

            If two devices save a document without knowing each other's version, the second one becomes a conflict. Both stay \
            until "document resolve" ends it. The last 10 versions before the current one are kept, and "document restore" brings \
            one back. --device names the device that saves.

            A version is named by its ID, or by the first digits of it (4 at least), as "document show" prints them.

            EXAMPLE
              kinfolk document create notes/list.txt list.txt \\
                --device laptop \\
                --container com.example.notes --account ada@example.com
            """,
        subcommands: [
            DocumentCreate.self, DocumentSave.self, DocumentShow.self, DocumentGet.self, DocumentList.self,
            DocumentMove.self, DocumentDelete.self, DocumentResolve.self, DocumentRestore.self, DocumentExclude.self,
            DocumentWatch.self, DocumentExportCommand.self, DocumentImportCommand.self,
        ]
    )
}
