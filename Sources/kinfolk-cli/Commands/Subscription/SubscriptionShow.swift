import ArgumentParser
import Kinfolk

struct SubscriptionShow: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a subscription with all that its notifications tell."
    )

    @Argument(help: ArgumentHelp("The subscription's ID.", valueName: "id"))
    var id: String

    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: DatabaseOptions.Scope

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let database = try session.session(in: service).database(database == .public ? .public : .private)
        do { return SubscriptionView(try database.subscription(id)).answer } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk subscription list\" shows the IDs.")
        }
    }
}
