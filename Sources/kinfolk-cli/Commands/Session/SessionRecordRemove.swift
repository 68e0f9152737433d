import ArgumentParser
import Kinfolk

struct SessionRecordRemove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove fields from the person's own user record."
    )

    @Argument(help: ArgumentHelp("The fields' names.", valueName: "field"))
    var fields: [String]

    @OptionGroup var saving: SaveOptions
    @OptionGroup var record: RecordOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let saved = try saving.save(in: record.database, of: session.session(in: service)) {
            (record) throws(KinfolkError) in
            for field in fields { try record.remove(field) }
        }
        service.removeDeletedFiles()
        return RecordView(saved).answer
    }
}
