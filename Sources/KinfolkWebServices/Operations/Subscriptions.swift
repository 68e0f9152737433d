import Kinfolk
import KinfolkJSON

/// `subscriptions/list`, `subscriptions/lookup` and `subscriptions/modify`.
enum Subscriptions {
    static func list(_ call: Call) throws(WebError) -> JSON {
        let all = try calling { () throws(KinfolkError) in try call.database.subscriptions() }
        let reader = SubscriptionReader(call: call)
        var subscriptions: [JSON] = []
        for one in all { subscriptions.append(try reader.json(one)) }
        return ["subscriptions": .array(subscriptions)]
    }

    static func lookup(_ call: Call) throws(WebError) -> JSON {
        let reader = SubscriptionReader(call: call)
        let subscriptions = try call.members.listOrOne("subscriptions") { json throws(WebError) in
            let id = try id(json)
            return try item(id) { () throws(WebError) in
                try reader.json(calling { () throws(KinfolkError) in try call.database.subscription(id) })
            }
        }
        guard let subscriptions else { throw .missing("subscriptions") }
        return ["subscriptions": .array(subscriptions)]
    }

    /// Some clients send the ID instead of a dictionary.
    private static func id(_ json: JSON) throws(WebError) -> String {
        if case .string(let id) = json { return id }
        return try Members(json).requiredText("subscriptionID")
    }

    static func modify(_ call: Call) throws(WebError) -> JSON {
        let operations = try call.members.list("operations") { json throws(WebError) in
            let members = try Members(json)
            guard let subscription = try members.object("subscription") else { throw .missing("subscription") }
            let kind = try members.requiredText("operationType")
            guard ["create", "update", "delete"].contains(kind) else {
                throw .malformed("operationType", "create, update or delete")
            }
            do throws(WebError) {
                if kind == "delete" { _ = try subscription.requiredText("subscriptionID") }
            } catch { throw error.within("subscription") }
            return (kind: kind, subscription: subscription)
        }
        guard let operations else { throw .missing("operations") }
        var subscriptions: [JSON] = []
        for (kind, members) in operations { subscriptions.append(try run(kind, members, call)) }
        return ["subscriptions": .array(subscriptions)]
    }

    private static func run(_ kind: String, _ members: Members, _ call: Call) throws(WebError) -> JSON {
        let reader = SubscriptionReader(call: call)
        switch kind {
        case "delete":
            let id = try members.requiredText("subscriptionID")
            return try item(id) { () throws(WebError) in
                try calling { () throws(KinfolkError) in try call.database.deleteSubscription(id) }
                return ["subscriptionID": .string(id), "deleted": .boolean(true)]
            }
        default:
            let subscription: Subscription
            do throws(WebError) { subscription = try reader.subscription(members) } catch {
                return json(
                    error.within("subscription"),
                    ((try? members.text("subscriptionID")) ?? nil).map(JSON.string)
                )
            }
            return try item(subscription.id) { () throws(WebError) in
                let isThere = try exists(subscription.id, call)
                if kind == "create", isThere {
                    throw WebError(.exists, "There is a subscription with this ID already.")
                }
                if kind == "update", !isThere { throw WebError(.notFound, "There is no subscription with this ID.") }
                try calling { () throws(KinfolkError) in try call.database.save(subscription) }
                return try reader.json(subscription)
            }
        }
    }

    private static func exists(_ id: String, _ call: Call) throws(WebError) -> Bool {
        do throws(KinfolkError) {
            _ = try call.database.subscription(id)
            return true
        } catch  where error.code == .unknownItem { return false } catch { throw WebError(error) }
    }

    private static func item(_ id: String, _ body: () throws(WebError) -> JSON) throws(WebError) -> JSON {
        do throws(WebError) { return try body() } catch {
            guard error.code != .authenticationRequired else { throw error }
            return json(error, .string(id))
        }
    }

    private static func json(_ error: WebError, _ id: JSON?) -> JSON {
        .object((id.map { [("subscriptionID", $0)] } ?? []) + error.members)
    }
}
