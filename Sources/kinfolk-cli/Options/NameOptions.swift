import ArgumentParser
import Kinfolk

/// A person's name. Either part may be left out.
struct NameOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The given name.", valueName: "name"))
    var givenName: String?

    @Option(help: ArgumentHelp("The family name.", valueName: "name"))
    var familyName: String?

    /// A name, with the given parts replaced.
    func applied(to name: PersonName) -> PersonName {
        PersonName(givenName: givenName ?? name.givenName, familyName: familyName ?? name.familyName)
    }
}
