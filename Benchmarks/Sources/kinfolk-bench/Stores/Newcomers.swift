import Kinfolk

/// Accounts that have not used the container.
final class Newcomers {
    private var accounts: [Account] = []

    /// Imported into another container, which is the quickest way to have many accounts.
    init(count: Int, _ service: Service, _ setting: Setting) throws {
        let elsewhere = try service.createContainer("com.example.elsewhere")
        let file = try PeopleFile.write(count, to: setting.scratch, consenting: false)
        guard try service.importPeople(fromFile: file, into: elsewhere).created == count else {
            throw Failure("People were lost.")
        }
        while accounts.count < count {
            accounts += try service.accounts(after: accounts.last?.id, limit: 1_000)
        }
    }

    func take(_ count: Int) -> [Account] {
        defer { accounts.removeLast(count) }
        return Array(accounts.suffix(count))
    }
}
