import ArgumentParser
import Kinfolk

struct SchemaAddField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-field",
        abstract: "Add a field to a record type, and the type if there is none.",
        discussion: FieldAddition.manual
    )

    @OptionGroup var addition: FieldAddition
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer { try addition.answer(from: service) }
}
