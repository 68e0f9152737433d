import ArgumentParser

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Fetch, find, save and delete records of any type.",
        discussion: """
            A record has a type, a name and fields. It is in the public database of the container, which everybody can read, or \
            in the private database of one person. In the public database a record can be changed by the person who created it.

            Types and fields that are saved for the first time are added to the schema. In production, a private database adds \
            nothing to the schema: "schema add-field" declares its types and fields.

            In a private database, --zone names a custom zone: "kinfolk zone" makes such zones, and shows what changed in them.

            The user record has the type Users, and the person's user record ID as its name. 'session record' is a short form for \
            the person's own.
            """,
        subcommands: [
            RecordFetch.self, RecordQuery.self, RecordSave.self, RecordDelete.self, RecordBatch.self,
            RecordReferences.self,
        ]
    )
}
