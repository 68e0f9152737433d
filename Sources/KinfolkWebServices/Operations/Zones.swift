import Kinfolk
import KinfolkJSON

/// `zones/list`, `zones/lookup`, `zones/modify`, `zones/changes` and `changes/database`.
enum Zones {
    static func list(_ call: Call) throws(WebError) -> JSON {
        let zones = try calling { () throws(KinfolkError) in try call.database.zones() }
        return ["zones": .array(zones.map { json($0.name, call) }), "moreComing": .boolean(false)]
    }

    static func lookup(_ call: Call) throws(WebError) -> JSON {
        let present = Set(try calling { () throws(KinfolkError) in try call.database.zones() }.map(\.name))
        let zones = try call.members.listOrOne("zones") { json throws(WebError) in
            let members = try Members(json)
            // The ID itself, or a zone dictionary with an ID.
            let id = try members.object("zoneID") ?? members
            do throws(WebError) {
                let name = try call.zones.zone(id)
                guard present.contains(name) else { throw none }
                return Zones.json(name, call)
            } catch  where error.code == .zoneNotFound { return Zones.json(error, members["zoneID"] ?? json) }
        }
        guard let zones else { throw .missing("zones") }
        return ["zones": .array(zones)]
    }

    static func modify(_ call: Call) throws(WebError) -> JSON {
        let operations = try call.members.list("operations") { json throws(WebError) in
            try ZoneOperation(json, call.zones)
        }
        guard let operations else { throw .missing("operations") }
        let names = operations.compactMap(\.name)
        guard Set(names).count == names.count else {
            throw WebError(.badRequest, "A request has at most one operation for each zone.")
        }
        return ["zones": .array(operations.map { $0.answer(call) })]
    }

    /// The zones that changed since a token.
    ///
    /// - Parameter tokenName: The member with the token, which has another name in the older form.
    static func changes(_ call: Call, tokenName: String) throws(WebError) -> JSON {
        let (named, other) = (
            try SyncToken.token(tokenName, in: call.members), try SyncToken.token("syncToken", in: call.members)
        )
        let page = try calling { () throws(KinfolkError) in try call.database.changes(since: named ?? other) }
        let changed = page.changed.map { json($0.name, call) }
        let deleted = page.deleted.map { zone in
            JSON.object([("zoneID", call.zones.json(zone.name)), ("deleted", .boolean(true))])
        }
        let next = SyncToken.json(page.token)
        return .object([
            ("zones", .array(changed + deleted)), ("syncToken", next), ("metaSyncToken", next),
            ("moreComing", .boolean(page.moreComing)),
        ])
    }

    static func json(_ name: String, _ call: Call) -> JSON {
        ["zoneID": call.zones.json(name), "atomic": .boolean(name != RecordZone.defaultName)]
    }

    static func json(_ error: WebError, _ id: JSON) -> JSON { .object([("zoneID", id)] + error.members) }

    static var none: WebError { WebError(.zoneNotFound, "There is no such zone in this database.") }
}
