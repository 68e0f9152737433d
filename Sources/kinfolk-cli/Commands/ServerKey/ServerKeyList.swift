import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ServerKeyList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys of servers, in the order of their names."
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let keys = try environment.container(name, in: service).serverKeys()
        let json = JSON.array(keys.map(\.json))
        guard !keys.isEmpty else { return Answer(json, line: "No server key.") }
        var table = Table(.flexible("NAME"), .fixed("KEY ID"), .fixed("ACCOUNT"))
        for key in keys { table.add(key.name, key.id, key.account.description) }
        return Answer(json, table: table)
    }
}

extension ServerKey {
    /// The key as an answer shows it.
    var json: JSON {
        [
            "id": .string(id), "name": .string(name), "public_key": .string(Hexadecimal.text(publicKey)),
            "account_id": .text(account), "created_at": .text(createdAt),
        ]
    }
}
