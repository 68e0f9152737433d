import ArgumentParser
import Kinfolk

struct ContainerBlock: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Keep two people from finding each other, as the operator.",
        discussion: "They do not see it, and cannot end it. Their own blocks are \"kinfolk session block\"."
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
        try container.block(first, from: second)
        return Answer(
            [
                "container": .string(container.name),
                "user_record_ids": [.text(first), .text(second)],
                "blocked": .boolean(true),
            ],
            line: "Neither finds the other any more."
        )
    }
}
