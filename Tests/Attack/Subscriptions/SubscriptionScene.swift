import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import KinfolkThreads

/// A container with records that everybody, only editors, or only their creators may read.
struct SubscriptionScene {
    static let role = "Editor"
    static let types = ["Note", "Draft", "Form"]
    static let schema = """
        DEFINE SCHEMA CREATE ROLE \(role);
        RECORD TYPE Note (title STRING QUERYABLE, GRANT READ TO "_world", GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud");
        RECORD TYPE Draft (title STRING QUERYABLE, GRANT READ, WRITE TO \(role), GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud");
        RECORD TYPE Form (title STRING QUERYABLE, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
        """

    let store: AttackedStore

    init() throws {
        store = try AttackedStore()
        try store.container.applySchema(SubscriptionScene.schema)
        // The experiment says when notifications are made.
        store.service.fanOut.stop()
    }

    static func record(_ type: String, _ name: String, title: String) throws -> Record {
        var record = try Record(type: type, id: RecordID(name))
        try record.set("title", to: .string(title))
        return record
    }

    /// Saves subscriptions to everything that a session can subscribe to. The right to read may be lost afterwards.
    func subscribe(_ session: Session) throws {
        let account = try store.account(of: session)
        try store.container.grantRole(SubscriptionScene.role, to: account)
        for type in SubscriptionScene.types {
            for (index, predicate) in ["TRUEPREDICATE", "title = 'title 1'", "title BEGINSWITH 'title'"].enumerated() {
                var subscription = try Subscription(
                    query: Query(type, where: QueryPredicate(predicate)),
                    options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion],
                    id: "\(type) \(index)"
                )
                subscription.info.desiredKeys = ["title"]
                subscription.info.alertLocalizationArgs = ["title"]
                try session.publicDatabase.save(subscription)
            }
            try session.publicDatabase.save(
                Subscription(query: Query(type), options: [.firesOnRecordCreation, .firesOnce], id: "\(type) once")
            )
        }
        try session.privateDatabase.save(Subscription(databaseWithID: "all"))
        try store.container.revokeRole(SubscriptionScene.role, from: account)
    }

    func makeNotifications() { store.service.fanOut.writePending(of: store.service, until: .never) }
}
