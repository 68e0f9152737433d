import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerList: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the containers.")

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        var table = Table(.flexible("CONTAINER"), .number("CAPACITY"), .number("PER HOUR"))
        var containers: [JSON] = []
        for container in try service.containers() {
            let limit = try container.permitLimit()
            table.add(container.name, "\(limit.capacity)", limit.shownRate)
            containers.append(limit.json(for: container))
        }
        let json: JSON = ["containers": .array(containers)]
        return table.isEmpty
            ? Answer(json, line: "There are no containers: make one with \"kinfolk container create\".")
            : Answer(json, table: table)
    }
}

extension PermitLimit {
    /// The rate; a whole number is shown without a fraction.
    var shownRate: String { Int(exactly: perHour)?.description ?? perHour.description }

    func json(for container: Container) -> JSON {
        [
            "container": .string(container.name),
            "permit_capacity": .integer(Int64(capacity)),
            "permits_per_hour": .double(perHour),
        ]
    }
}
