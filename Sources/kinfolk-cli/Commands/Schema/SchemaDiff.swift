import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct SchemaDiff: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what \"apply\" or \"deploy\" would change.",
        discussion: """
            With a file it shows what "apply" would change, and without one what "deploy" would change in production. It changes \
            nothing itself.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(
        help: ArgumentHelp("The file with the schema; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath?

    @Flag(help: "Also remove what the file does not name.")
    var removeMissing = false

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let file { try options.key.validate(besides: file) }
        guard file != nil || !removeMissing else { throw ValidationError("--remove-missing needs a file.") }
        guard file != nil || environment.environment == .production else {
            throw ValidationError("A deployment changes production: leave --environment out.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let difference =
            try file.map { file throws(KinfolkError) in
                try container.schemaDifference(SchemaFile.text(file), removesMissing: removeMissing)
            } ?? container.deploymentDifference()
        return SchemaDifferenceView(difference, of: container).answer(ifEmpty: "Nothing would change.")
    }
}
