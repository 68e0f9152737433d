import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct ServerKeyAdd: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add the public key of a server, and make an account for it.",
        discussion: "Prints the ID of the key, which the server sends with each request."
    )

    /// More than any file with a public key has.
    private static let maximumSize = 65_536

    @Argument(help: "The container's name.")
    var name: String

    @Argument(
        help: ArgumentHelp(
            "The file with the public key for P-256, in PEM; - for standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: FilePath

    @Option(
        name: .customLong("name"),
        help: ArgumentHelp(
            "A name for the key, which no other key of the container has; \"server\" without it.",
            valueName: "name"
        )
    )
    var keyName = "server"

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws { try options.key.validate(besides: file) }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let bytes = try File.read(file.input, limit: ServerKeyAdd.maximumSize)
        let key = try container.addServerKey(bytes, named: keyName)
        return Answer(key.json, line: key.id)
    }
}
