import ArgumentParser
import Kinfolk

struct SubscriptionSave: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save a subscription to records, to a zone, or to a private database.",
        discussion: """
            With a record type it is a query subscription: it tells of the records that satisfy the predicate, which is given as \
            for "kinfolk record query". With --zone and no record type it tells that anything in this zone has changed, and \
            without both that anything in the private database has.

            For a new or changed record the predicate is tested on the state in which the service finds the record after the \
            change, which may be that of a later change. For a deleted record it is tested on its last state.

            A subscription with the same ID is replaced. A database has at most \(Database.maximumSubscriptions) subscriptions \
            of one person.

            Notifications wait for devices with a name. Give --device, or make the device first with "kinfolk watch": a device \
            receives what happens after it was made.

            EXAMPLE
              kinfolk subscription save Message 'to = %@' ada \\
                --on created --keys text --device laptop \\
                --id inbox --database public \\
                --container com.example.chat --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The record type of a query subscription.", valueName: "record-type"))
    var type: String?

    @Argument(help: "The condition that the records satisfy.")
    var predicate: String?

    @Argument(help: ArgumentHelp("A value for each %@ and %K.", valueName: "argument"))
    var arguments: [QueryArgument] = []

    @Option(
        help: ArgumentHelp(
            "Which changes of records to tell: created, updated, deleted, with commas between them.",
            discussion: "Default: all of them.",
            valueName: "changes"
        )
    )
    var on: SubscriptionEvents?

    @Flag(help: "Only once: the first notification deletes the subscription.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Tell only of this zone.",
            discussion: "Default: all zones of the database.",
            valueName: "zone-name"
        )
    )
    var zone: String?

    @Option(help: ArgumentHelp("The subscription's ID.", discussion: "Default: a new random one.", valueName: "id"))
    var id: String?

    @OptionGroup(title: "What the notifications tell") var notification: NotificationOptions

    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: DatabaseOptions.Scope

    @OptionGroup var device: DeviceOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard type != nil || on == nil && !once else {
            throw ValidationError("--on and --once need a record type.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let subscription = try subscription()
        let session = try session.session(in: service, device: device.device)
        try session.database(database == .public ? .public : .private).save(subscription)
        return Answer(SubscriptionView(subscription).json, line: "Saved the subscription \(subscription.id).")
    }

    private func subscription() throws(KinfolkError) -> Subscription {
        var subscription = try subject()
        subscription.info = notification.info
        return subscription
    }

    private func subject() throws(KinfolkError) -> Subscription {
        guard let type else {
            guard let zone else { return try Subscription(databaseWithID: id) }
            return try Subscription(zone: zone, id: id)
        }
        var values: [FieldValue] = []
        for argument in arguments { values.append(try argument.value()) }
        let condition = try predicate.map { text throws(KinfolkError) in try QueryPredicate(text, arguments: values) }
        var events = (on ?? .all).options
        if once { events.insert(.firesOnce) }
        return try Subscription(
            query: Query(type, where: condition ?? .all),
            inZone: zone,
            options: events,
            id: id
        )
    }
}
