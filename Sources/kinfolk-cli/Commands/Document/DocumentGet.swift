import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON

struct DocumentGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Write a document to a file of the disk, or to standard output.",
        discussion: """
            The file on the disk appears when it is complete. If there is one with this name, it is replaced.

            EXAMPLE
              kinfolk document get notes/list.txt list.txt \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var document: DocumentOptions

    @Argument(
        help: ArgumentHelp("The file to write; - or no file for standard output.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath?

    @Option(help: ArgumentHelp("Another version than the current one.", valueName: "id"))
    var version: VersionReference?

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard file != nil || !Terminal.output.isTerminal else {
            throw ValidationError("Standard output is a terminal: name a file, or give - to write to the terminal.")
        }
    }

    func run() throws {
        let documents = try session.session(in: options.open()).documents
        let document = try document.document(in: documents)
        let version = try version.map { try $0.version(of: document.versions) } ?? document.current
        let reader = try documents.reader(of: document, version)
        let output = try ByteOutput(file, mode: 0o666)
        let count = try output.write { () throws(KinfolkError) in
            try output.write(0..<version.size, of: reader, "Fetching")
        }
        guard let file, !file.isStandardOutput else { return }
        try options.show(
            Answer(
                [
                    "file": .path(file), "path": .string(document.path), "version": .string(version.id),
                    "size": .count(count), "sha256": .string(Hexadecimal.text(version.sha256)),
                ],
                line: "Wrote \(count.counted("byte", "bytes")) to \(file.shown)."
            )
        )
    }
}
