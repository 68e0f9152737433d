import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON

struct DocumentImportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make documents of the files in a directory of the disk and in those below it.",
        discussion: """
            A document that exists gets a new version, unless its current version has the same bytes. So run the same import \
            again after an interruption.

            Symbolic links are not followed. What cannot be a document is left out and listed: links, devices, and names that are not \
            UTF-8, have control characters or are too long.

            EXAMPLE
              kinfolk document import Letters --into letters \\
                --device laptop \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: "The directory.", completion: .directory)
    var directory: FilePath

    @Option(help: ArgumentHelp("The folder of the documents.", discussion: "Default: no folder.", valueName: "folder"))
    var into: String?

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        // Old versions may have been deleted, or a file that was stored in part.
        defer { service.removeDeletedFiles() }
        let result = try importFiles(to: documents)
        let skips = DocumentSkipView(result.skipped, count: result.skippedCount)
        var blocks: [Answer.Block] = [
            .line(
                "Imported \((result.created + result.saved).counted("file", "files")) from \(directory.shown): "
                    + "\(result.created) created, \(result.saved) saved, \(result.bytes.counted("byte", "bytes"))."
            ),
            .line("Unchanged: \(result.unchanged). Left out: \(result.skippedCount)."),
        ]
        if result.conflicts > 0 {
            blocks.append(
                .line("\(result.conflicts) of them became conflicts: \"kinfolk document list --conflicts\" lists them.")
            )
        }
        return Answer(
            .object(
                [
                    ("directory", .path(directory)), ("created", .count(result.created)),
                    ("saved", .count(result.saved)), ("conflicts", .count(result.conflicts)),
                    ("unchanged", .count(result.unchanged)), ("bytes", .count(result.bytes)),
                ] + skips.members
            ),
            blocks + skips.blocks
        )
    }

    private func importFiles(to documents: Documents) throws(KinfolkError) -> DocumentImport {
        var bar = ProgressBar("Importing")
        defer { bar.clear() }
        var count = 0
        let advice = "Run it again to resume: what was imported is left as it is."
        do {
            return try documents.importFolder(directory, into: into) {
                files,
                _ throws(KinfolkError) in
                count = files
                try bar.show(
                    share: nil,
                    files,
                    "files",
                    orStop: "The import was stopped after \(files.counted("file", "files")). \(advice)"
                )
            }
        } catch {
            let error = error.naming(folder: directory)
            guard count > 0, error.code != .cancelled else { throw error }
            throw error.advising("The import ended after \(count.counted("file", "files")). \(advice)")
        }
    }
}
