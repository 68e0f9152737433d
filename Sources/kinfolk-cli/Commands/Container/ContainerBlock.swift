import ArgumentParser
import Kinfolk

struct ContainerBlock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Prevent two people from finding each other, as the operator.",
        discussion:
            "They cannot see the block, and cannot end it. \"kinfolk session block\" is for blocks of the people themselves."
    )

    @OptionGroup var pair: PairOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try pair.answer(from: service, blocked: true, line: "Neither can find the other now.") {
            try $0.block($1, from: $2)
        }
    }
}
