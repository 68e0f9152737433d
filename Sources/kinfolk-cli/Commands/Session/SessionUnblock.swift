import ArgumentParser
import Kinfolk

struct SessionUnblock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "End a block that the person made.",
        discussion: "Without a block, nothing happens."
    )

    @Argument(help: "The other person's user record ID.")
    var id: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try UserRecordID(id)
        try session.session(in: service).unblock(id)
        return Answer(["user_record_id": .text(id), "blocked": .boolean(false)], line: "Unblocked \(id).")
    }
}
