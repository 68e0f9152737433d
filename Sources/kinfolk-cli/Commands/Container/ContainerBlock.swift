import ArgumentParser
import Kinfolk

struct ContainerBlock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Keep two people from finding each other, as the operator.",
        discussion: "They do not see it, and cannot end it. Their own blocks are \"kinfolk session block\"."
    )

    @OptionGroup var pair: PairOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try pair.answer(from: service, blocked: true, line: "Neither finds the other any more.") {
            try $0.block($1, from: $2)
        }
    }
}
