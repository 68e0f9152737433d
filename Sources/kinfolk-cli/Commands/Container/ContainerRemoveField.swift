import ArgumentParser
import Kinfolk

/// The former name of "schema remove-field".
struct ContainerRemoveField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-field",
        abstract: "The former name of \"kinfolk schema remove-field\".",
        discussion: FieldRemoval.manual,
        shouldDisplay: false
    )

    @OptionGroup var removal: FieldRemoval
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer { try removal.answer(from: service) }
}
