import ArgumentParser
import Kinfolk
import KinfolkJSON

/// A field to remove.
struct FieldRemoval: ParsableArguments {
    static let manual = """
        The name may then be used with another type. Asks first; without a terminal it needs --yes.
        """

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The field's name.")
    var field: String

    @Option(help: ArgumentHelp("The record type.", valueName: "record-type"))
    var recordType = "Users"

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var environment: EnvironmentOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        try confirmation.ask("Remove the field \(field) and its values from every record of the type \(recordType)?")
        try container.removeField(field, from: recordType)
        service.removeDeletedFiles()
        return Answer(
            [
                "container": .string(container.name), "record_type": .string(recordType),
                "removed_field": .string(field),
            ],
            line: "Removed the field \(field)."
        )
    }
}
