import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SubscriptionDelete: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a subscription, with its notifications that wait."
    )

    @Argument(help: ArgumentHelp("The subscription's ID.", valueName: "id"))
    var id: String

    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: DatabaseOptions.Scope

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let database = try session.session(in: service).database(database == .public ? .public : .private)
        do { try database.deleteSubscription(id) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk subscription list\" shows the IDs.")
        }
        return Answer(
            ["subscription_id": .string(id), "deleted": .boolean(true)],
            line: "Deleted the subscription \(id)."
        )
    }
}
