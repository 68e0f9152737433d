import ArgumentParser

struct KeyValueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kv",
        abstract: "Set, read and watch a person's key-value store: small settings, the same on all devices.",
        discussion: """
            A key has 1 to 64 bytes. A person has at most 1,024 keys in a container, and keys and values have at most 1 MB \
            together; "kinfolk container quota --key-value-store" lowers that. A value is a string, a number, true or false, \
            bytes, a date, an array or a dictionary.

            EXAMPLE
              kinfolk kv set theme dark --device laptop \\
                --container com.example.notes --account ada@example.com
            """,
        subcommands: [
            KeyValueSet.self, KeyValueGet.self, KeyValueRemove.self, KeyValueList.self, KeyValueSynchronize.self,
            KeyValueWatch.self,
        ]
    )
}
