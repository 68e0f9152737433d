import ArgumentParser
import Kinfolk

struct SchemaRemoveField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-field",
        abstract: "Remove a field from a record type, with its values.",
        discussion: FieldRemoval.manual
    )

    @OptionGroup var removal: FieldRemoval
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer { try removal.answer(from: service) }
}
