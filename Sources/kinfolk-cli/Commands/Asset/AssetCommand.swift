import ArgumentParser

struct AssetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asset",
        abstract: "Store, fetch and show the files of records.",
        discussion: """
            An asset is a file that belongs to a field of a record: a photo, a sound, a document. A field of the type asset has one \
            file, and a field of the type asset[] has a list of files. The store keeps each file sealed (encrypted), with its size \
            and its SHA-256.

            A file is deleted with the last record that has it. To take a file from a record, give another one to "asset save", or \
            remove the field with "kinfolk record save --remove FIELD".

            In production, a private database adds no field to the schema: declare it first, with "kinfolk schema add-field \
            CONTAINER FIELD asset --record-type TYPE".

            EXAMPLE
              kinfolk asset save groceries photo list.jpg \\
                --database private \\
                --container com.example.notes --account ada@example.com
            """,
        subcommands: [AssetSave.self, AssetFetch.self, AssetShow.self]
    )
}
