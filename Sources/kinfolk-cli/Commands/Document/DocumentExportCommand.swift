import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON

struct DocumentExportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all documents as files below a directory of the disk.",
        discussion: """
            The current version of each document becomes a file. A conflict becomes a further file with a name like \
            "list (conflict 1 of tablet).txt". A regular file that has the name is replaced; nothing is written through a symbolic \
            link below the directory. A missing directory is made, so that only its owner may use it.

            Documents that are left out of backups are left out here too, unless --all is given.

            EXAMPLE
              kinfolk document export copies \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: "The directory.", completion: .directory)
    var directory: FilePath

    @Flag(help: "Also the documents that are left out of backups.")
    var all = false

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let result = try export(session.session(in: service).documents)
        let skips = DocumentSkipView(result.skipped, count: result.skippedCount)
        var blocks: [Answer.Block] = [
            .line(
                "Wrote \((result.documents + result.conflicts).counted("file", "files")) to \(directory.shown): "
                    + "\(result.documents.counted("document", "documents")), "
                    + "\(result.conflicts.counted("conflict", "conflicts")), "
                    + "\(result.bytes.counted("byte", "bytes"))."
            ),
            .line("Left out: \(result.excluded) excluded from backups, \(result.skippedCount) for other reasons."),
        ]
        if result.excluded > 0 { blocks.append(.line("--all also writes those that are excluded from backups.")) }
        return Answer(
            .object(
                [
                    ("directory", .path(directory)), ("documents", .count(result.documents)),
                    ("conflicts", .count(result.conflicts)), ("bytes", .count(result.bytes)),
                    ("excluded", .count(result.excluded)),
                ] + skips.members
            ),
            blocks + skips.blocks
        )
    }

    private func export(_ documents: Documents) throws(KinfolkError) -> DocumentExport {
        var bar = ProgressBar("Exporting")
        defer { bar.clear() }
        do {
            return try documents.export(to: directory, includingExcluded: all) {
                done,
                total throws(KinfolkError) in
                try bar.show(
                    share: done.share(of: total),
                    done / 1_000_000,
                    "MB",
                    orStop:
                        "The export was stopped. The files that were written are complete; run it again for the others."
                )
            }
        } catch {
            throw error.naming(folder: directory)
        }
    }
}
