import ArgumentParser
import Kinfolk

struct DocumentMove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Give a document another path.",
        discussion: "It keeps its ID and its versions. There must be no document and no folder with the new path."
    )

    @OptionGroup var document: DocumentOptions

    @Argument(help: "The new path.")
    var newPath: String

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        let moved = try documents.move(document.document(in: documents), to: newPath)
        return Answer(DocumentView(moved).json, line: "Moved \(document.path) to \(moved.path).")
    }
}
