import ArgumentParser
import Kinfolk
import KinfolkFiles

struct DocumentResolve: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "End the conflicts of a document: by one of its versions, or by a file that joins them.",
        discussion: """
            The other versions become older versions. If another device changes the document at the same time, the exit status is \
            that of serverRecordChanged (15), and nothing is changed.

            EXAMPLES
              kinfolk document resolve notes/list.txt --keep 5f2c9a01b7d3 \\
                --container com.example.notes --account ada@example.com
              kinfolk document resolve notes/list.txt joined.txt \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var document: DocumentOptions

    @Argument(
        help: ArgumentHelp("The file that becomes the current version; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath?

    @Option(help: ArgumentHelp("The version that becomes or stays the current one.", valueName: "version"))
    var keep: VersionReference?

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (file == nil) != (keep == nil) else { throw ValidationError("Give either a file or --keep.") }
        if let file { try options.key.validate(besides: file) }
    }

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        let found = try document.document(in: documents)
        // The oldest version may have been deleted, or a file that was stored in part.
        defer { service.removeDeletedFiles() }
        let resolved = try resolve(found, in: documents)
        return Answer(
            DocumentView(resolved).json,
            line: "Resolved \(resolved.path): version \(DocumentView.shown(resolved.current)) is the current one."
        )
    }

    private func resolve(_ found: Document, in documents: Documents) throws(KinfolkError) -> Document {
        if let keep {
            let versions = [found.current] + found.conflicts
            return try documents.resolve(found, keeping: keep.version(of: versions))
        }
        return try DocumentUpload.saving(file ?? FilePath("-"), to: documents) { (upload) throws(KinfolkError) in
            try documents.resolve(found, upload)
        }
    }
}
