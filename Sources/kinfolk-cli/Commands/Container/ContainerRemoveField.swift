import ArgumentParser
import Kinfolk

struct ContainerRemoveField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-field",
        abstract: "Remove a field from a container's schema and from every user record.",
        discussion:
            "The name may then be used with another type. Asks first; without a terminal it needs --yes."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The field's name.")
    var field: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        try confirmation.ask("Remove the field \(field) and its values from every user record of \(container.name)?")
        try container.removeField(field)
        return Answer(
            ["container": .string(container.name), "removed_field": .string(field)],
            line: "Removed the field \(field)."
        )
    }
}
