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

    @Option(help: ArgumentHelp("How many to list.", valueName: "n"))
    var limit = 1_000

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func answer(from service: Service) throws -> Answer {
        // One more than the limit: it tells whether there is another page.
        let claims = try service.emailClaims(after: after.map { text in try ClaimID(text) }, limit: limit + 1)
        let page = Array(claims.prefix(limit))
        return ClaimView.answer(page, next: claims.count > limit ? page.last?.id : nil)
    }
}
