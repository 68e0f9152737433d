import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ServerKeyRemove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the key of a server, which can then make no more requests.",
        discussion:
            "The account of the key remains, with the records that it created: \"kinfolk account erase\" removes these."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: ArgumentHelp("The ID of the key.", valueName: "key-id"))
    var id: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        do { try container.removeServerKey(id) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk server-key list \(name)\" shows the keys.")
        }
        return Answer(["id": .string(id), "removed": .boolean(true)], line: "Removed the key \(id).")
    }
}
