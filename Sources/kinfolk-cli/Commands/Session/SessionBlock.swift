import ArgumentParser
import Kinfolk

struct SessionBlock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block a person: from now on neither of the two can find the other.",
        discussion: "Neither can detect the block. An ID that nobody has can be blocked too."
    )

    @Argument(help: "The other person's user record ID.")
    var id: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try UserRecordID(id)
        try session.session(in: service).block(id)
        return Answer(["user_record_id": .text(id), "blocked": .boolean(true)], line: "Blocked \(id).")
    }
}
