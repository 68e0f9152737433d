import Kinfolk
import KinfolkJSON

/// Reads and writes subscription dictionaries.
struct SubscriptionReader {
    let call: Call

    private static let events: [(String, SubscriptionOptions)] = [
        ("create", .firesOnRecordCreation), ("update", .firesOnRecordUpdate), ("delete", .firesOnRecordDeletion),
    ]

    func subscription(_ members: Members) throws(WebError) -> Subscription {
        let id = try members.text("subscriptionID")
        let zone = try call.zones.name(in: members)
        var subscription: Subscription
        switch try members.requiredText("subscriptionType") {
        case "zone":
            guard let zone else { throw .missing("zoneID") }
            subscription = try calling { () throws(KinfolkError) in try Subscription(zone: zone, id: id) }
        case "database":
            subscription = try calling { () throws(KinfolkError) in try Subscription(databaseWithID: id) }
        case "query":
            let isWide = try members.flag("zoneWide") ?? true
            let query = try query(members, zone: zone)
            let options = try options(members)
            let wanted = zone ?? (isWide ? nil : RecordZone.defaultName)
            subscription = try calling { () throws(KinfolkError) in
                try Subscription(query: query, inZone: wanted, options: options, id: id)
            }
        default: throw .malformed("subscriptionType", "zone, query or database")
        }
        if let info = try members.object("notificationInfo") {
            do throws(WebError) { subscription.info = try NotificationInfo(info) } catch {
                throw error.within("notificationInfo")
            }
        }
        return subscription
    }

    private func query(_ members: Members, zone: String?) throws(WebError) -> Query {
        guard let query = try members.object("query") else { throw .missing("query") }
        let values = ValueReader(zones: call.zones, zone: zone)
        do throws(WebError) { return try QueryReader(values: values, schema: call.schema()).query(query) } catch {
            throw error.within("query")
        }
    }

    private func options(_ members: Members) throws(WebError) -> SubscriptionOptions {
        var options: SubscriptionOptions = []
        for name in try members.texts("firesOn") ?? [] {
            guard let event = SubscriptionReader.events.first(where: { $0.0 == name })?.1 else {
                throw .malformed("firesOn", "a list of create, update and delete")
            }
            options.insert(event)
        }
        if try members.flag("firesOnce") == true { options.insert(.firesOnce) }
        return options
    }

    func json(_ subscription: Subscription) throws(WebError) -> JSON {
        var members: [(String, JSON)] = [("subscriptionID", .string(subscription.id))]
        switch subscription.type {
        case .recordZone: members.append(("subscriptionType", "zone"))
        case .database: members.append(("subscriptionType", "database"))
        case .query:
            members.append(("subscriptionType", "query"))
            if let query = subscription.query {
                members.append(("query", .object(FilterWriter(records: try call.recordWriter()).members(of: query))))
            }
            let events = SubscriptionReader.events.filter { subscription.options.contains($0.1) }
            members.append(("firesOn", .array(events.map { .string($0.0) })))
            members.append(("firesOnce", .boolean(subscription.options.contains(.firesOnce))))
            members.append(("zoneWide", .boolean(subscription.zone == nil)))
        }
        if let zone = subscription.zone { members.append(("zoneID", call.zones.json(zone))) }
        members.append(("notificationInfo", subscription.info.json))
        return .object(members)
    }
}
