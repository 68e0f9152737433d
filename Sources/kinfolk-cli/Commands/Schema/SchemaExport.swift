import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SchemaExport: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the schema as a text.",
        discussion: """
            CloudKit reads it too. A boolean is INT64 there, which a comment marks: CloudKit drops comments, and "apply" takes an \
            INT64 without the mark for the boolean that a field is already.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let text = try container.exportSchema()
        return Answer(
            [
                "container": .string(container.name), "environment": .string("\(container.environment)"),
                "schema": .string(text),
            ],
            [.document(text)]
        )
    }
}
