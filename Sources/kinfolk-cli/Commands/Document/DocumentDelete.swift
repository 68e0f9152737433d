import ArgumentParser
import Kinfolk
import KinfolkJSON

struct DocumentDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a document with all its versions."
    )

    @OptionGroup var document: DocumentOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        let found = try document.document(in: documents)
        try documents.delete(found)
        service.removeDeletedFiles()
        return Answer(
            ["id": .string(found.id), "path": .string(found.path), "deleted": .boolean(true)],
            line: "Deleted \(found.path)."
        )
    }
}
