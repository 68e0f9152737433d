import ArgumentParser
import Kinfolk
import KinfolkFiles

struct DocumentCreate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a document.",
        discussion: """
            There must be no document and no folder with this path.

            EXAMPLE
              echo 'Buy milk' | kinfolk document create notes/list.txt \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var document: DocumentOptions

    @Argument(
        help: ArgumentHelp("The file with the contents; - or no file for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath?

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        try options.key.validate(besides: file ?? FilePath("-"))
        guard file != nil || !Terminal.input.isTerminal else {
            throw ValidationError("Standard input is a terminal: name a file, or give - to type the contents.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        // A file that was stored in part is deleted.
        defer { service.removeDeletedFiles() }
        try requireFree(documents)
        let created = try DocumentUpload.saving(file ?? FilePath("-"), to: documents) { (upload) throws(KinfolkError) in
            do throws(KinfolkError) { return try documents.create(document.path, upload) } catch {
                throw advised(error)
            }
        }
        return Answer(
            DocumentView(created).json,
            line: "Created \(created.path): \(created.current.size.counted("byte", "bytes")), "
                + "version \(DocumentView.shown(created.current))."
        )
    }

    /// Notices a path that cannot be used before the file is stored.
    private func requireFree(_ documents: Documents) throws(KinfolkError) {
        do { _ = try documents.document(at: document.path) } catch {
            guard error.code == .unknownItem else { throw error }
            return
        }
        throw advised(KinfolkError(.conflict, "There is a document with this path."))
    }

    private func advised(_ error: KinfolkError) -> KinfolkError {
        guard error.code == .conflict, error.reason.hasPrefix("There is a document") else { return error }
        return error.advising("\"kinfolk document save\" saves a new version of it.")
    }
}
