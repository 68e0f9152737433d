import ArgumentParser
import Kinfolk

struct RecordSave: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save a record: a new one, or changes to one.",
        discussion: """
            Without --name the record is new, and its name is a random UUID. With --name, a record that exists is changed, and the \
            other fields stay as they are; a missing one is made, which needs --type.

            --operation says more exactly what to do:
              create         make a record; fail if there is one
              update         change the given fields of a record
              force-update   the same whatever its change tag is; make a missing one
              replace        write the given fields, and remove all others
              force-replace  the same whatever its change tag is; make a missing one

            \(FieldAssignment.manual)

            EXAMPLE
              kinfolk record save title=Groceries count:int64=3 \\
                --type Note --name groceries --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("What to set.", valueName: "field=value"))
    var assignments: [FieldAssignment] = []

    @Option(help: ArgumentHelp("A field to remove; may be repeated.", valueName: "field"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("The name of the record to which this one belongs.", valueName: "record-name"))
    var parent: String?

    @Flag(help: "Remove the parent.")
    var removeParent = false

    @Option(help: ArgumentHelp("The record type, for a new record.", valueName: "record-type"))
    var type: String?

    @Option(help: ArgumentHelp("The record's name.", valueName: "record-name"))
    var name: String?

    @Option(help: "What to do, exactly.")
    var operation: Operation?

    @Option(help: "Without --operation: what to do if another program saved the record in between.")
    var policy: SaveOptions.Policy?

    @Option(
        help: ArgumentHelp(
            "Save only if the record still has this change tag.",
            discussion: "\"record fetch\" shows it. Without it the command reads the record just before it saves.",
            valueName: "tag"
        )
    )
    var changeTag: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    enum Operation: String, ExpressibleByArgument, CaseIterable {
        case create, update
        case forceUpdate = "force-update"
        case replace
        case forceReplace = "force-replace"
    }

    func validate() throws {
        guard operation == nil || policy == nil else {
            throw ValidationError("--operation and --policy exclude each other.")
        }
        guard name != nil || type != nil else {
            throw ValidationError("A new record needs --type. To change a record, give its --name.")
        }
        guard name != nil || (changeTag == nil && remove.isEmpty) else {
            throw ValidationError("--change-tag and --remove need --name.")
        }
        guard parent == nil || !removeParent else {
            throw ValidationError("--parent and --remove-parent exclude each other.")
        }
        if operation == .create || operation == .replace || operation == .forceReplace, !remove.isEmpty {
            throw ValidationError("--remove does not fit this operation, which removes all fields that are not given.")
        }
        if changeTag != nil,
            ![nil, .update, .replace].contains(operation) || ![nil, .ifServerRecordUnchanged].contains(policy)
        {
            throw ValidationError("--change-tag does not fit an operation or policy that ignores change tags.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let database = try database.database(in: service)
        let record: Record
        do { record = try save(self.record(in: database), in: database) } catch { throw advised(error) }
        service.removeDeletedFiles()
        return RecordView(record).answer
    }

    private func advised(_ error: KinfolkError) -> KinfolkError {
        switch error.code {
        case .serverRecordChanged:
            error.advising(
                "\"kinfolk record fetch\" shows the record as it is, with its change tag. "
                    + "To save in any case, give --policy changed-keys."
            )
        case .invalidArgument where error.reason.hasPrefix("The schema has no "):
            error.advising("\"kinfolk schema add-field\" adds it.")
        case .zoneNotFound: error.advising("\"kinfolk zone save\" makes it.")
        default: error
        }
    }

    /// The record to save, with its changes.
    private func record(in database: Database) throws(KinfolkError) -> Record {
        var record = try starting(in: database)
        try record.set(assignments)
        for field in remove { try record.remove(field) }
        if let parent { try record.setParent(record.neighbour(parent)) }
        if removeParent { try record.setParent(nil) }
        return record
    }

    /// The record without the changes: the present one, or a new one.
    private func starting(in database: Database) throws(KinfolkError) -> Record {
        let id = try self.database.recordID(name)
        guard name != nil else { return try Record(type: type ?? "", id: id) }
        guard operation != .create, let present = try present(id, in: database) else {
            guard let type else {
                throw operation == .create
                    ? KinfolkError(.invalidArgument, "A new record needs --type.")
                    : KinfolkError(.unknownItem, "There is no such record in this database. To make it, give --type.")
            }
            let record = try Record(type: type, id: id)
            guard let changeTag else { return record }
            return try record.holding(changeTag: changeTag, in: database)
        }
        guard type == nil || type == present.type else {
            throw KinfolkError(.invalidArgument, "The record in the store has another type: \(present.type).")
        }
        return try present.holding(
            changeTag: changeTag ?? present.changeTag ?? "",
            fields: operation == .replace || operation == .forceReplace ? Fields() : nil,
            in: database
        )
    }

    private func present(_ id: RecordID, in database: Database) throws(KinfolkError) -> Record? {
        do { return try database.fetch(id) } catch {
            guard error.code == .unknownItem else { throw error }
            return nil
        }
    }

    private func save(_ record: Record, in database: Database) throws(KinfolkError) -> Record {
        let step: RecordOperation
        switch operation {
        case nil: return try database.save(record, policy: policy?.meaning ?? .ifServerRecordUnchanged)
        case .create: step = .create(record)
        case .update: step = .update(record)
        case .forceUpdate: step = .forceUpdate(record)
        case .replace: step = .replace(record)
        case .forceReplace: step = .forceReplace(record)
        }
        guard let saved = try database.run([step]).first?.get() else {
            throw KinfolkError(.internalError, "A save returned no record.")
        }
        return saved
    }
}
