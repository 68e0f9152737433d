import ArgumentParser
import Kinfolk

struct RecordDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a record.",
        discussion: "To delete several records in one step, use \"record batch\"."
    )

    @Argument(help: ArgumentHelp("The record's name.", valueName: "record-name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "Delete only if the record still has this change tag.",
            discussion: "\"record fetch\" shows it.",
            valueName: "tag"
        )
    )
    var changeTag: String?

    @Flag(help: "If there is no such record, succeed.")
    var force = false

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard !force || changeTag == nil else { throw ValidationError("--change-tag and --force exclude each other.") }
    }

    func answer(from service: Service) throws -> Answer {
        let id = try database.recordID(name)
        let database = try database.database(in: service)
        try delete(id, in: database)
        return Answer(
            [
                "name": .string(name), "zone": .string(id.zone), "database": .text("\(database.scope)"),
                "deleted": .boolean(true),
            ],
            line: force ? "No record is called \(name) now." : "Deleted \(name)."
        )
    }

    private func delete(_ id: RecordID, in database: Database) throws(KinfolkError) {
        do {
            guard force else { return try database.delete(id, changeTag: changeTag) }
            _ = try database.run([.forceDelete(id)]).first?.get()
        } catch {
            switch error.code {
            case .serverRecordChanged:
                throw error.advising(
                    "\"kinfolk record fetch\" shows the record as it is, with its change tag. "
                        + "Without --change-tag it is deleted in any case."
                )
            case .unknownItem: throw error.advising("With --force that is no error.")
            default: throw error
            }
        }
    }
}
