import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON

struct DocumentSave: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save a new version of a document.",
        discussion: """
            With --base, the file was made from this version. If another device has saved the document since then, the file becomes a \
            conflict: nothing is lost, and the exit status is \(ExitStatus.savedAsConflict). If the version is a conflict, the file \
            takes its place. Without --base it was made from the version that is current when the command begins.

            EXAMPLE
              kinfolk document save notes/list.txt list.txt \\
                --base 5f2c9a01b7d3 --device laptop \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var document: DocumentOptions

    @Argument(
        help: ArgumentHelp("The file with the contents; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath

    @Option(help: ArgumentHelp("The version from which the file was made.", valueName: "version"))
    var base: VersionReference?

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws { try options.key.validate(besides: file) }

    func run() throws {
        let (saved, conflict) = try save(options.open())
        try options.show(answer(saved, conflict))
        if conflict != nil { throw ExitCode(ExitStatus.savedAsConflict) }
    }

    /// The document as it is now, and the conflict that the file has become; nil if it is the current version.
    private func save(_ service: Service) throws(KinfolkError) -> (Document, DocumentVersion?) {
        let documents = try session.session(in: service, device: device.device).documents
        // The oldest version may have been deleted, or a file that was stored in part.
        defer { service.removeDeletedFiles() }
        let present: Document
        do { present = try document.document(in: documents) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk document create\" creates one.")
        }
        let known = try base.map { base throws(KinfolkError) in try base.base(of: present) } ?? present
        return try DocumentUpload.saving(file, to: documents) { (upload) throws(KinfolkError) in
            let saved = try documents.save(known, upload)
            return (saved, try saved.conflict(from: upload))
        }
    }

    private func answer(_ saved: Document, _ conflict: DocumentVersion?) -> Answer {
        let version = conflict ?? saved.current
        let size = version.size.counted("byte", "bytes")
        let json: JSON = .object(
            [("saved_version", .string(version.id)), ("is_conflict", .boolean(conflict != nil))]
                + DocumentView(saved).members
        )
        guard conflict != nil else {
            return Answer(json, line: "Saved \(saved.path): \(size), version \(DocumentView.shown(version)).")
        }
        return Answer(
            json,
            [
                .line("Saved as a conflict of \(saved.path): \(size), version \(DocumentView.shown(version))."),
                .line("The current version is \(DocumentView.shown(saved.current)), which another device has saved."),
                .line("\"kinfolk document resolve\" ends the conflict."),
            ]
        )
    }
}
