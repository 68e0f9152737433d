import ArgumentParser
import Kinfolk
import KinfolkJSON

struct StatsCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show a container at a glance: people, and how many opted in over time.",
        discussion: """
            Without a name it shows all containers in a table; if only one exists, it shows that container.

            Discoveries, and refusals by the limit, are counted for each day, of all people together. The true numbers may be \
            higher: a program writes its counts now and then, and when it closes the store. All other numbers leave out people \
            who were erased, also for earlier days; only the look-ups in the audit log stay.

            The bytes are those that quotas limit: of sealed (encrypted) records and assets, with their padding. Next to them are the \
            quotas, which "kinfolk container quota" changes.

            The command reads the whole container, which takes some seconds for a million people; other programs are not blocked \
            meanwhile.
            """
    )

    @Argument(help: "The container's name.")
    var name: String?

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard name != nil || environment.environment == .production else {
            throw ValidationError("--environment belongs to one container: name it.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        if let name {
            let view = try StatsView(environment.container(name, in: service))
            return Answer(view.json, view.blocks)
        }
        let views = try service.containers().map { container throws(KinfolkError) in try StatsView(container) }
        let json: JSON = ["containers": .array(views.map(\.json))]
        if views.count == 1 { return Answer(json, views[0].blocks) }
        var table = Table(
            .flexible("CONTAINER"),
            .number("PEOPLE"),
            .number("OPTED IN"),
            .number("CAN BE FOUND"),
            .number("NO PERMIT LEFT")
        )
        for view in views {
            table.add(
                view.name,
                "\(view.statistics.people)",
                "\(view.statistics.granted)",
                "\(view.statistics.discoverable)",
                "\(view.statistics.peopleWithoutPermits)"
            )
        }
        return table.isEmpty
            ? Answer(json, line: "There are no containers: make one with \"kinfolk container create\".")
            : Answer(json, table: table)
    }
}
