import ArgumentParser
import Kinfolk

struct SessionUnblock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "End a block that the person made.",
        discussion: "Without a block, nothing happens."
    )

    @OptionGroup var other: OtherPersonOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try other.answer(from: service, blocked: false) { try $0.unblock($1) }
    }
}
