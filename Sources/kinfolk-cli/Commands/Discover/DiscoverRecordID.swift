import ArgumentParser
import Kinfolk

struct DiscoverRecordID: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-id",
        abstract: "Find the person with a user record ID."
    )

    @Argument(help: "The user record ID.")
    var id: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try UserRecordID(id)
        return try IdentityView.answer(session.session(in: service).discover(id))
    }
}
