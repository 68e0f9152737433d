import Kinfolk
import KinfolkJSON

/// The roles of an account, as an answer.
struct RolesView {
    private let account: AccountID
    private let container: String
    private let roles: [String]

    init(of account: Account, in container: Container) throws(KinfolkError) {
        self.account = account.id
        self.container = container.name
        roles = try container.roles(of: account)
    }

    var answer: Answer {
        let json: JSON = [
            "container": .string(container), "account_id": .text(account), "roles": .array(roles.map { .string($0) }),
        ]
        guard !roles.isEmpty else { return Answer(json, line: "The account has no role in this container.") }
        var table = Table(.fixed("ROLE"))
        for role in roles { table.add(role) }
        return Answer(json, [.table(table)])
    }
}
