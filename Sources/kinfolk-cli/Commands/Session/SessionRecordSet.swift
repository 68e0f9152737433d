import ArgumentParser
import Kinfolk

struct SessionRecordSet: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set fields of the person's own user record.",
        discussion: FieldAssignment.manual
    )

    @Argument(help: ArgumentHelp("What to set.", valueName: "field=value"))
    var assignments: [FieldAssignment]

    @OptionGroup var saving: SaveOptions
    @OptionGroup var record: RecordOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let saved = try saving.save(in: record.database, of: session.session(in: service)) {
            (record) throws(KinfolkError) in
            try record.set(assignments)
        }
        return RecordView(saved).answer
    }
}
