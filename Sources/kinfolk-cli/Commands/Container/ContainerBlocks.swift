import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerBlocks: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocks",
        abstract: "List the operator's blocks, a page at a time.",
        discussion: "Blocks that people made are not listed: \"kinfolk session blocked\" lists those of one person."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Begin after this pair: both user record IDs, as listed.", valueName: "id")
    )
    var after: [String] = []

    @OptionGroup var pages: PageOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard after.isEmpty || after.count == 2 else { throw ValidationError("--after takes two user record IDs.") }
    }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        let last =
            try after.isEmpty
            ? nil : OperatorBlock(userRecordID: UserRecordID(after[0]), otherUserRecordID: UserRecordID(after[1]))
        let (page, next) = try pages.page { try container.operatorBlocks(after: last, limit: $0) }
        var table = Table(.fixed("USER RECORD ID"), .fixed("AND"))
        for block in page { table.add(block.userRecordID.description, block.otherUserRecordID.description) }
        let json: JSON = [
            "container": .string(container.name), "blocks": .array(page.map(\.json)), "next": next.map(\.json) ?? .null,
        ]
        guard !table.isEmpty else { return Answer(json, line: "The operator has blocked nobody.") }
        let more = next.map { "More: --after \($0.userRecordID) \($0.otherUserRecordID)" }
        return Answer(json, [.table(table)] + (more.map { [.line($0)] } ?? []))
    }
}

extension OperatorBlock {
    fileprivate var json: JSON { [.text(userRecordID), .text(otherUserRecordID)] }
}
