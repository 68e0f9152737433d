import Kinfolk

/// Accounts that have not used any container.
final class Newcomers: @unchecked Sendable {
    enum Kind {
        /// New accounts, as `createAccount` returned them: people who sign up.
        case justMade
        /// Known accounts, as `account(_:)` returns them: people who sign in to another application.
        case known
    }

    private var accounts: [Account] = []

    init(_ kind: Kind, count: Int, _ service: Service) throws {
        let makers = min(count, 16)
        let made = (0..<makers).map { _ in Newcomers() }
        _ = try Threads.time(makers) { maker in
            for _ in stride(from: maker, to: count, by: makers) {
                let account = try service.createAccount()
                made[maker].accounts.append(kind == .known ? try service.account(account.id) : account)
            }
        }
        accounts = made.flatMap(\.accounts)
    }

    private init() {}

    func take(_ count: Int) -> [Account] {
        defer { accounts.removeLast(count) }
        return Array(accounts.suffix(count))
    }
}
