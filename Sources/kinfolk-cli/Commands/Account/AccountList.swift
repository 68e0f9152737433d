import ArgumentParser
import Kinfolk

struct AccountList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts sorted by their IDs, a page at a time."
    )

    @Option(help: ArgumentHelp("Begin after this account.", valueName: "account id"))
    var after: String?

    @Option(help: ArgumentHelp("How many to list.", valueName: "n"))
    var limit = 1_000

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func answer(from service: Service) throws -> Answer {
        var last: AccountID?
        if let after { last = try AccountID(after) }
        // One more than the limit: it tells whether there is another page.
        let accounts = try service.accounts(after: last, limit: limit + 1)
        let page = try accounts.prefix(limit).compactMap(view)
        let next = accounts.count > limit ? accounts[limit - 1].id : nil
        var table = Table(.fixed("ACCOUNT"), .flexible("NAME"), .flexible("ADDRESS"), .fixed("STATUS"))
        for account in page { table.add(account.id.description, account.name.shown, account.address, account.status) }
        let json: JSON = ["accounts": .array(page.map(\.json)), "next": next.map(JSON.text) ?? .null]
        guard !table.isEmpty else { return Answer(json, line: "There are no accounts.") }
        return Answer(json, [.table(table)] + (next.map { [.line("More: --after \($0)")] } ?? []))
    }

    /// Nil if the account was erased since the page was read.
    private func view(_ account: Account) throws(KinfolkError) -> AccountView? {
        do { return try AccountView(account) } catch  where error.code == .unknownItem { return nil }
    }
}

extension AccountView {
    /// The first verified address (or the first one), and how many more there are.
    fileprivate var address: String {
        guard let first = emails.first(where: \.isVerified) ?? emails.first else { return "-" }
        return first.spelling + (emails.count > 1 ? " (+\(emails.count - 1))" : "")
    }
}
