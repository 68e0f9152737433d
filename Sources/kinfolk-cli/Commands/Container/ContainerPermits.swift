import ArgumentParser
import Kinfolk

struct ContainerPermits: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "permits",
        abstract: "Show or change the rate limit of discovery.",
        discussion: "Each contact that a person asks about for the first time costs a permit."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Option(help: ArgumentHelp("How many permits a person holds at most, and at first.", valueName: "n"))
    var capacity: UInt32?

    @Option(help: ArgumentHelp("How many permits a person gains an hour.", valueName: "n"))
    var perHour: Double?

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try service.existingContainer(name)
        let before = try container.permitLimit()
        let limit = PermitLimit(capacity: capacity ?? before.capacity, perHour: perHour ?? before.perHour)
        if limit != before { try container.setPermitLimit(limit) }
        return Answer(
            limit.json(for: container),
            line: "A person holds at most \(limit.capacity) permits, and gains \(limit.shownRate) an hour."
        )
    }
}
