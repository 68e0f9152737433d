import ArgumentParser
import Kinfolk

struct AccountRename: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change a person's name, also in what others discover.",
        discussion: "A part of the name that is not given stays as it is."
    )

    @OptionGroup var target: AccountOptions
    @OptionGroup var name: NameOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard name.givenName != nil || name.familyName != nil else {
            throw ValidationError("Give --given-name, --family-name or both.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.setName(name.applied(to: $0.name())) }
    }
}
