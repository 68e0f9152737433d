import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a container and everything in it.",
        discussion: """
            It deletes the user record IDs, records, consents, blocks, directories and limits of all people in it; their accounts \
            stay. Asks first; without a terminal it needs --yes. Run it again after an interruption: before the deletion is \
            finished, nobody can use the container or its name. Backups keep the data: delete them yourself.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try confirmation.ask("Delete the container \(name) and all data of its people in it for good?")
        var bar = ProgressBar("Deleting")
        defer { bar.clear() }
        let deletion = try service.deleteContainer(name) { (progress) throws(KinfolkError) in
            let isOver = progress.people == progress.total
            try bar.show(
                share: progress.people.share(of: progress.total),
                progress.people,
                "done",
                orStop: isOver
                    ? nil
                    : "The deletion was stopped when \(progress.people) of \(progress.total) people were removed from the container. "
                        + "Run it again to resume: until then, nobody can use the container or its name."
            )
        }
        var lines: [Answer.Block] = [
            .line("Deleted the container \(name), which \(deletion.people.counted("person", "people")) used.")
        ]
        if deletion.isPending {
            lines.append(.line("The store's log is in use: it may hold the deleted data until one of the next writes."))
        }
        return Answer(
            ["container": .string(name), "people": .count(deletion.people), "pending": .boolean(deletion.isPending)],
            lines
        )
    }
}
