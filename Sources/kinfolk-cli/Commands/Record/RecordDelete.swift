import ArgumentParser
import Kinfolk
import KinfolkJSON

struct RecordDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a record.",
        discussion: """
            Records that refer to it with the action deleteSelf are deleted with it, and so on. The answer lists them. To delete \
            several records in one step, use "record batch".
            """
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
        let others = try delete(id, in: database).dropFirst()
        service.removeDeletedFiles()
        return Answer(
            [
                "name": .string(name),
                "zone": .string(id.zone),
                "database": .text("\(database.scope)"),
                "deleted": .boolean(true),
                "deleted_with_it": .array(others.map(\.json)),
            ],
            [.line(force ? "No record is called \(name) now." : "Deleted \(name).")]
                + others.map { .line("Deleted \($0.id.name), which refers to it or to another one of these.") }
        )
    }

    /// The deleted records, this one first.
    private func delete(_ id: RecordID, in database: Database) throws(KinfolkError) -> [DeletedRecord] {
        do {
            guard force else { return try database.delete(id, changeTag: changeTag) }
            let results = try database.run([.forceDelete(id)])
            _ = try results.first?.get()
            return results.deleted
        } catch {
            switch error.code {
            case .serverRecordChanged:
                throw error.advising(
                    "\"kinfolk record fetch\" shows the record as it is, with its change tag. "
                        + "Without --change-tag it is deleted in any case."
                )
            case .unknownItem: throw error.advising("With --force that is no error.")
            case .referenceViolation:
                throw error.advising("\"kinfolk record references\" lists the records that refer to one.")
            default: throw error
            }
        }
    }
}
