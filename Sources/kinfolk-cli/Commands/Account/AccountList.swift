import ArgumentParser
import Kinfolk
import KinfolkJSON

struct AccountList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts sorted by their IDs, a page at a time."
    )

    @Option(help: ArgumentHelp("Begin after this account.", valueName: "account id"))
    var after: String?

    @OptionGroup var pages: PageOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let after = try after.map { text in try AccountID(text) }
        let (accounts, last) = try pages.page { try service.accounts(after: after, limit: $0) }
        let page = try accounts.compactMap(view)
        var table = Table(.fixed("ACCOUNT"), .flexible("NAME"), .flexible("ADDRESS"), .fixed("STATUS"))
        for account in page { table.add(account.id.description, account.name.shown, account.address, account.status) }
        let json: JSON = ["accounts": .array(page.map(\.json)), "next": (last?.id).map(JSON.text) ?? .null]
        guard !table.isEmpty else { return Answer(json, line: "There are no accounts.") }
        return Answer(json, [.table(table)] + (last.map { [.line("More: --after \($0.id)")] } ?? []))
    }

    /// What is shown of an account. Nil if the account was erased after the page was read.
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
