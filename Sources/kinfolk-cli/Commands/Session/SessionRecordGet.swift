import ArgumentParser
import Kinfolk

struct SessionRecordGet: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show a user record: the person's own, or anybody's public one."
    )

    @Option(help: ArgumentHelp("Another person's user record ID.", valueName: "id"))
    var recordID: String?

    @OptionGroup var record: RecordOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let session = try session.session(in: service)
        guard let recordID else { return RecordView(try session.fetchUserRecord(in: record.database)).answer }
        return RecordView(try session.fetchUserRecord(UserRecordID(recordID), in: record.database)).answer
    }
}
