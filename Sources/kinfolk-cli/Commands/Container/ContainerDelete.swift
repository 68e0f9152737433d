import ArgumentParser
import Kinfolk

struct ContainerDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a container and everything in it.",
        discussion: """
            The user record IDs, records, consents, blocks, directories and limits of all its people go; their accounts \
            stay. Asks first; where there is no terminal it needs --yes. If it is interrupted, run it again: until it has \
            ended nobody can use the container, nor its name. Backups are yours to delete.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try confirmation.ask("Delete the container \(name) and all that its people have in it for good?")
        var bar = ProgressBar("Deleting")
        defer { bar.clear() }
        let deletion = try service.deleteContainer(name) { progress in
            let share = Double(progress.people) / Double(max(progress.total, 1))
            bar.show(share: share, progress.people, "done")
        }
        var lines: [Answer.Block] = [
            .line("Deleted the container \(name), which \(deletion.people.counted("person", "people")) used.")
        ]
        if deletion.isPending {
            lines.append(.line("The store's log is in use: it may hold its rows until one of the next writes."))
        }
        return Answer(
            ["container": .string(name), "people": .count(deletion.people), "pending": .boolean(deletion.isPending)],
            lines
        )
    }
}
