import ArgumentParser
import Kinfolk

struct ClaimList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the claims on addresses, a page at a time.",
        discussion: "With --json the list also has the accounts of both sides. Do not tell one person who the other is."
    )

    @Option(help: ArgumentHelp("Begin after this claim.", valueName: "claim"))
    var after: String?

    @OptionGroup var pages: PageOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let after = try after.map { text in try ClaimID(text) }
        let (page, last) = try pages.page { try service.emailClaims(after: after, limit: $0) }
        return ClaimView.answer(page, next: last?.id)
    }
}
