import ArgumentParser
import Kinfolk

struct DocumentRestore: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make an older version of a document the current one again.",
        discussion: """
            It gets a new ID, and the version that was current becomes an older one. "kinfolk document show" lists the versions.
            """
    )

    @OptionGroup var document: DocumentOptions

    @Argument(help: "The version.")
    var version: VersionReference

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        let found = try document.document(in: documents)
        let restored = try documents.restore(found, version.version(of: [found.current] + found.olderVersions))
        return Answer(
            DocumentView(restored).json,
            line: "Restored \(restored.path): \(restored.current.size.counted("byte", "bytes")), "
                + "version \(DocumentView.shown(restored.current))."
        )
    }
}
