import ArgumentParser
import Kinfolk

/// The database of a record: which one, and who uses it.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: Scope

    @Option(
        help: ArgumentHelp(
            "The zone of the records, in the private database.",
            discussion: "Default: the zone that every database has. \"kinfolk zone list\" shows the others.",
            valueName: "zone-name"
        )
    )
    var zone = RecordZone.defaultName

    @OptionGroup var session: SessionOptions

    enum Scope: String, ExpressibleByArgument, CaseIterable {
        case `public`, `private`
    }

    func database(in service: Service) throws(KinfolkError) -> Database {
        try session.session(in: service).database(database == .public ? .public : .private)
    }

    /// The ID of a record with this name; nil for a new random name.
    func recordID(_ name: String?) throws(KinfolkError) -> RecordID {
        guard let name else { return try RecordID(zone: zone) }
        return try RecordID(name, zone: zone)
    }
}
