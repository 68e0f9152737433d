import ArgumentParser

struct ZoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "Make and delete zones of a person's private database, and follow their changes.",
        discussion: """
            A zone is a group of records in one database. Every database has the zone _defaultZone. Custom zones exist in private \
            databases. They keep track of changes: "zone changes" shows what was saved and deleted since the last time.

            "kinfolk record" works in a custom zone with --zone.

            EXAMPLE
              kinfolk zone save Notes --container com.example.notes \\
                --account ada@example.com
              kinfolk record save title=Groceries --type Note \\
                --database private --zone Notes \\
                --container com.example.notes --account ada@example.com
            """,
        subcommands: [ZoneList.self, ZoneSave.self, ZoneDelete.self, ZoneChanges.self]
    )
}
