import ArgumentParser

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Read and change a container's schema: its record types, fields and indexes.",
        discussion: """
            A schema is a text in Apple's schema language, as CloudKit's console and cktool write and read it.

            In development every save may add record types and fields. "deploy" adds the schema of development to production; from \
            then on, a save in production with an unknown field fails.

            EXAMPLE
              kinfolk schema export com.example.notes \\
                --environment development > notes.ckdb
              kinfolk schema diff com.example.notes notes.ckdb \\
                --environment development
              kinfolk schema apply com.example.notes notes.ckdb \\
                --environment development
              kinfolk schema deploy com.example.notes
            """,
        subcommands: [
            SchemaExport.self, SchemaDiff.self, SchemaApply.self, SchemaDeploy.self, SchemaAddField.self,
            SchemaRemoveField.self,
        ]
    )
}
