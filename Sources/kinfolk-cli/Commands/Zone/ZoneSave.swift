import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ZoneSave: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Make a custom zone in the private database.",
        discussion: """
            If there is a zone with this name, nothing changes. A name has 1 to 255 printable ASCII characters, of which the first \
            is not _. A database has at most \(Database.maximumZones) custom zones.
            """
    )

    @Argument(help: ArgumentHelp("The zone's name.", valueName: "zone-name"))
    var name: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let zone = try RecordZone(name)
        try session.session(in: service).privateDatabase.save(zone)
        return Answer(["zone": .string(zone.name)], line: "The database has the zone \(zone.name).")
    }
}
