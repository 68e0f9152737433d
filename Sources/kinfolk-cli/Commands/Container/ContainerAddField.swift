import ArgumentParser
import Kinfolk

/// The former name of "schema add-field".
struct ContainerAddField: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-field",
        abstract: "The former name of \"kinfolk schema add-field\".",
        discussion: FieldAddition.manual,
        shouldDisplay: false
    )

    @OptionGroup var addition: FieldAddition
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer { try addition.answer(from: service) }
}
