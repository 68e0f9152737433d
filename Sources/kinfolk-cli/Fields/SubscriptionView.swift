import Kinfolk
import KinfolkJSON

/// A subscription as it is shown.
struct SubscriptionView {
    private let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    var id: String { subscription.id }

    private var isOnce: Bool { subscription.options.contains(.firesOnce) }

    /// Of which changes it tells.
    var events: String {
        guard subscription.type == .query else { return "any change" }
        return SubscriptionEvents.names(of: subscription.options).joined(separator: ",") + (isOnce ? ", once" : "")
    }

    /// What it is about.
    var subject: String {
        guard let query = subscription.query else {
            return subscription.zone.map { "zone \($0)" } ?? "the private database"
        }
        let condition = predicate.map { "  \($0)" } ?? ""
        let place = subscription.zone.map { "  zone \($0)" } ?? ""
        return query.recordType + condition + place
    }

    /// The text of the predicate; nil if it has none.
    private var predicate: String? {
        guard let query = subscription.query, query.predicate != .all else { return nil }
        return query.predicate.text
    }

    var answer: Answer {
        var table = Table(.fixed("SUBSCRIPTION"), .flexible("VALUE"))
        table.add("id", id)
        table.add("tells of", events)
        if let query = subscription.query { table.add("record type", query.recordType) }
        if let predicate { table.add("predicate", predicate) }
        for argument in subscription.query?.predicate.arguments ?? [] {
            table.add("argument", ":\(argument.type.name)=\(argument.shown)")
        }
        if let zone = subscription.zone { table.add("zone", zone) }
        for (name, value) in NotificationInfoView(subscription.info).shown { table.add(name, value) }
        return Answer(json, table: table)
    }

    var json: JSON {
        var members: [(String, JSON)] = [("subscription_id", .string(id)), ("kind", .string(subscription.type.name))]
        if let query = subscription.query {
            members += [
                ("record_type", .string(query.recordType)), ("predicate", predicate.map(JSON.string) ?? .null),
                (
                    "arguments",
                    .array(query.predicate.arguments.map { ["type": .string($0.type.name), "value": $0.json] })
                ),
                ("on", .array(SubscriptionEvents.names(of: subscription.options).map(JSON.string))),
                ("once", .boolean(isOnce)),
            ]
        }
        members += [
            ("zone", subscription.zone.map(JSON.string) ?? .null),
            ("info", NotificationInfoView(subscription.info).json),
        ]
        return .object(members)
    }
}

extension SubscriptionType {
    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .query: "query"
        case .recordZone: "zone"
        case .database: "database"
        }
    }
}
