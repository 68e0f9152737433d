import ArgumentParser
import Kinfolk

struct ContainerUnblock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "End the operator's block between two people.",
        discussion: "Blocks that the two people made stay. Without an operator's block, nothing happens."
    )

    @OptionGroup var pair: PairOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try pair.answer(from: service, blocked: false, line: "The operator's block is ended.") {
            try $0.unblock($1, from: $2)
        }
    }
}
