import ArgumentParser
import Kinfolk

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

    @Option(help: ArgumentHelp("How many to list.", valueName: "n"))
    var limit = 1_000

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
        guard after.isEmpty || after.count == 2 else { throw ValidationError("--after takes two user record IDs.") }
    }

    func answer(from service: Service) throws -> Answer {
        let container = try service.existingContainer(name)
        let last =
            try after.isEmpty
            ? nil : OperatorBlock(userRecordID: UserRecordID(after[0]), otherUserRecordID: UserRecordID(after[1]))
        // One more than the limit: it tells whether there is another page.
        let blocks = try container.operatorBlocks(after: last, limit: limit + 1)
        let page = blocks.prefix(limit)
        let next = blocks.count > limit ? page.last : nil
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
