import ArgumentParser
import Kinfolk

struct ContainerAddField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-field",
        abstract: "Add a field to a container's schema.",
        discussion: """
            Without it, the first user who saves a field with a new name adds it: see --fields of "kinfolk container permits".
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The field's name.")
    var field: String

    @Argument(
        help:
            "The field's type: string, int64, double, boolean, bytes, date, location, reference, or stringList and so on.",
        transform: { text in
            guard let type = FieldType.allCases.first(where: { "\($0)" == text }) else {
                throw ValidationError("No field type is called \"\(text)\".")
            }
            return type
        }
    )
    var type: FieldType

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        try container.addField(field, type: type)
        return Answer(
            ["container": .string(container.name), "added_field": .string(field), "type": .string("\(type)")],
            line: "Added the field \(field) of type \(type)."
        )
    }
}
