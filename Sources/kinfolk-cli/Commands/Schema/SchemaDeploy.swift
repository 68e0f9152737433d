import ArgumentParser
import Kinfolk

struct SchemaDeploy: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Add the schema of development to production.",
        discussion: """
            It removes nothing from production, and no field gets another type. From then on a save in production adds nothing to \
            the schema: only "deploy", "apply" and "add-field" do. That cannot be undone. It shows the changes and asks first; \
            without a terminal it needs --yes.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try service.existingContainer(name)
        if !confirmation.yes {
            let difference = try container.deploymentDifference()
            SchemaDifferenceView(difference, of: container).complain()
            try confirmation.ask(
                "Make these changes in production of \(container.name), and let saves add nothing from now on?"
            )
        }
        let difference = try container.deploySchema()
        try container.buildIndexes(after: "The schema was deployed.")
        return SchemaDifferenceView(difference, of: container).answer(
            ifEmpty: "Production has this schema already. From now on, saves add nothing to it."
        )
    }
}
