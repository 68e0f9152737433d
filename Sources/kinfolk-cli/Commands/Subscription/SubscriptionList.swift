import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SubscriptionList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the person's subscriptions to a database, in the order of their IDs."
    )

    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: DatabaseOptions.Scope

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let database = try session.session(in: service).database(database == .public ? .public : .private)
        let views = try database.subscriptions().map(SubscriptionView.init)
        let json: JSON = ["subscriptions": .array(views.map(\.json))]
        guard !views.isEmpty else { return Answer(json, line: "No subscription.") }
        var table = Table(.flexible("ID"), .fixed("TELLS OF"), .flexible("WHERE"))
        for view in views { table.add(view.id, view.events, view.subject) }
        return Answer(json, table: table)
    }
}
