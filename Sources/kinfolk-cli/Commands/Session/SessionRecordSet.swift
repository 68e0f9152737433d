import ArgumentParser
import Kinfolk

struct SessionRecordSet: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set fields of the person's own user record.",
        discussion: """
            An assignment is FIELD=VALUE or FIELD:TYPE=VALUE. Without a TYPE a field keeps the type that it has in the \
            record; a new field is a string. The first use of a field fixes its type for the whole container.

            TYPES
              string       motto='Per aspera'
              int64        score:int64=5
              double       ratio:double=0.25
              boolean      newsletter:boolean=true
              bytes        avatar:bytes=89504e47, in hexadecimal, or avatar:bytes=@FILE
              date         since:date=2026-01-31T12:00:00Z (RFC 3339)
              location     home:location=47.37,8.54 (latitude, longitude in degrees)
              reference    friend:reference=_0123… (a user record ID)

            A list is TYPE[]: tags:string[]=red,green. Values are separated by commas, locations by semicolons; a backslash \
            escapes the comma or backslash after it. FIELD:TYPE[]= is the empty list. Quote it: brackets are special in \
            shells.
            """
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
            for assignment in assignments {
                try record.set(assignment.name, to: assignment.value(replacing: record[assignment.name]))
            }
        }
        return RecordView(saved).answer
    }
}
