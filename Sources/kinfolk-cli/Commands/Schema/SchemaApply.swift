import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct SchemaApply: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Change the schema to what a text says.",
        discussion: """
            Record types and fields of the text are added if they are missing. A field of the text gets the indexes that the text \
            names, and loses all others. What the text does not name stays, unless you give --remove-missing: then it asks first, \
            and without a terminal it needs --yes. No field gets another type.

            All changes are made in one transaction, or none. "diff" shows them first. Then the records that exist are indexed, a \
            number at a time, so that others can write in between. After an interruption the next program that keeps the store \
            open continues.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(
        help: ArgumentHelp("The file with the schema; - for standard input.", valueName: "file"),
        completion: .file()
    )
    var file: FilePath

    @Flag(
        help:
            "Remove what the text does not name: record types with their records, fields with their values, and roles."
    )
    var removeMissing = false

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws { try options.key.validate(besides: file) }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let text = try SchemaFile.text(file)
        if removeMissing, !confirmation.yes {
            let difference = try container.schemaDifference(text, removesMissing: true)
            if difference.changes.contains(where: \.losesData) {
                SchemaDifferenceView(difference, of: container).complain()
                try confirmation.ask("Make these changes in \(container.name), and lose what is removed for good?")
            }
        }
        let difference = try container.applySchema(text, removesMissing: removeMissing)
        service.removeDeletedFiles()
        try container.buildIndexes(after: "The schema was changed.")
        return SchemaDifferenceView(difference, of: container).answer(
            ifEmpty: "Nothing was changed: the schema is like this."
        )
    }
}

extension SchemaChange {
    /// Whether records or values are lost.
    fileprivate var losesData: Bool { kind == .removeField || kind == .removeRecordType }
}
