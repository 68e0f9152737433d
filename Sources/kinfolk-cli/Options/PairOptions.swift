import ArgumentParser
import Kinfolk
import KinfolkJSON

/// Two people in a container.
struct PairOptions: ParsableArguments {
    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: ArgumentHelp("A user record ID.", valueName: "id"))
    var first: String

    @Argument(help: ArgumentHelp("The other's.", valueName: "other-id"))
    var second: String

    @OptionGroup var environment: EnvironmentOptions

    /// Sets or ends the operator's block between the two, with `change`.
    func answer(
        from service: Service,
        blocked: Bool,
        line: String,
        change: (Container, UserRecordID, UserRecordID) throws -> Void
    ) throws -> Answer {
        let container = try environment.container(name, in: service)
        let (first, second) = (try UserRecordID(first), try UserRecordID(second))
        try change(container, first, second)
        return Answer(
            [
                "container": .string(container.name),
                "user_record_ids": [.text(first), .text(second)],
                "blocked": .boolean(blocked),
            ],
            line: line
        )
    }
}
