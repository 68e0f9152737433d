import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ZoneList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the zones of the private database, in the order in which they were made."
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let zones = try session.session(in: service).privateDatabase.zones()
        var table = Table(.flexible("ZONE"))
        for zone in zones { table.add(zone.name) }
        return Answer(["zones": .array(zones.map { .string($0.name) })], table: table)
    }
}
