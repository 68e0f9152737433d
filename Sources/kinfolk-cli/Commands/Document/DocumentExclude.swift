import ArgumentParser
import Kinfolk

struct DocumentExclude: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Leave a document out of backups and exports, or include it again."
    )

    @OptionGroup var document: DocumentOptions

    @Flag(help: "Include it again.")
    var include = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let documents = try session.session(in: service, device: device.device).documents
        let changed = try documents.setExcludedFromBackup(!include, document.document(in: documents))
        return Answer(
            DocumentView(changed).json,
            line: include
                ? "\(changed.path) is in backups and exports." : "\(changed.path) is left out of backups and exports."
        )
    }
}
