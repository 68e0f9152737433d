import ArgumentParser
import Kinfolk

struct SessionBlock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block a person: from now on neither of the two can find the other.",
        discussion: "Neither can detect the block. An ID that nobody has can be blocked too."
    )

    @OptionGroup var other: OtherPersonOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try other.answer(from: service, blocked: true) { try $0.block($1) }
    }
}
