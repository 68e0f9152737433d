import ArgumentParser
import Kinfolk
import KinfolkJSON

struct TokenDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an API token, and end all web sessions that were begun with it."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The name of the token.")
    var token: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        do { try container.deleteAPIToken(named: token) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk token list \(name)\" shows the names.")
        }
        return Answer(["token": .string(token), "deleted": .boolean(true)], line: "Deleted the token \(token).")
    }
}
