import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ZoneDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a custom zone with all its records.",
        discussion: """
            The records are gone at once, because the key of the zone is deleted. Their rows are removed afterwards, in batches, so \
            that others can write in between; the command ends when they are removed. After an interruption the next program that \
            keeps the store open removes the rest. Asks first; without a terminal it needs --yes.
            """
    )

    @Argument(help: ArgumentHelp("The zone's name.", valueName: "zone-name"))
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let database = try session.session(in: service).privateDatabase
        try confirmation.ask("Delete the zone \(name) and all its records for good?")
        var bar = ProgressBar("Removing")
        defer { bar.clear() }
        try database.deleteZone(name)
        try removeRows(in: service, showing: &bar)
        return Answer(
            ["zone": .string(name), "deleted": .boolean(true)],
            line: "Deleted the zone \(name) with all its records."
        )
    }

    /// Removes the rows of deleted zones here, because the service's own thread ends with this process.
    private func removeRows(in service: Service, showing bar: inout ProgressBar) throws(KinfolkError) {
        var removed = 0
        do {
            try service.sweep { (count) throws(KinfolkError) in
                removed += count
                try bar.show(share: nil, removed, "rows", orStop: "Stopped after \(removed) rows. \(rest)")
            }
        } catch {
            throw error.code == .cancelled ? error : error.advising(rest)
        }
    }

    private var rest: String {
        "The zone \(name) is deleted, and nobody can read its records. The next program that keeps the store open removes the "
            + "other rows."
    }
}
