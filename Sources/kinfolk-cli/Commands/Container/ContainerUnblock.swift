import ArgumentParser
import Kinfolk

struct ContainerUnblock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "End the operator's block between two people.",
        discussion: "Their own blocks stay. If there is none, nothing happens."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: ArgumentHelp("A user record ID.", valueName: "id"))
    var first: String

    @Argument(help: ArgumentHelp("The other's.", valueName: "other-id"))
    var second: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try service.container(name)
        let (first, second) = (try UserRecordID(first), try UserRecordID(second))
        try container.unblock(first, from: second)
        return Answer(
            [
                "container": .string(container.name),
                "user_record_ids": [.text(first), .text(second)],
                "blocked": .boolean(false),
            ],
            line: "The operator's block is ended."
        )
    }
}
