import Kinfolk
import KinfolkJSON

/// `records/changes` and `changes/zone`: the records of custom zones that changed since a token.
enum RecordChanges {
    /// The changes of one zone, in the older form.
    static func ofOneZone(_ call: Call) throws(WebError) -> JSON {
        guard let zone = try call.zones.name(in: call.members) else { throw .missing("zoneID") }
        let request = try Request(call.members, over: nil, call)
        let page = try request.page(ofZone: zone, call)
        return .object(page + [("reverse", .boolean(false))])
    }

    /// The changes of several zones. An error of one zone is an item of the answer.
    static func ofZones(_ call: Call) throws(WebError) -> JSON {
        let outer = call.members
        let zones = try outer.list("zones") { json throws(WebError) in
            let members = try Members(json)
            guard try members.object("zoneID") != nil else { throw .missing("zoneID") }
            return try item(members, Request(members, over: outer, call), call)
        }
        guard let zones else { throw .missing("zones") }
        guard zones.count <= Database.maximumBatch else {
            throw WebError(.badRequest, "A request has at most \(Database.maximumBatch) zones.")
        }
        return ["zones": .array(zones)]
    }

    private static func item(_ members: Members, _ request: Request, _ call: Call) throws(WebError) -> JSON {
        let id = members["zoneID"] ?? .null
        do throws(WebError) {
            let zone = try call.zones.name(in: members) ?? RecordZone.defaultName
            let page = try request.page(ofZone: zone, call)
            return .object([("zoneID", call.zones.json(zone))] + page)
        } catch {
            guard error.code != .authenticationRequired else { throw error }
            return .object([("zoneID", id)] + error.members)
        }
    }

    private struct Request {
        let token: ServerChangeToken?
        let limit: Int
        let desiredKeys: Set<String>?
        let types: Set<String>?
        var writer: RecordWriter

        /// - Parameter outer: The members of the request that apply to zones which have none of their own.
        init(_ members: Members, over outer: Members?, _ call: Call) throws(WebError) {
            let both = Members(members.all + (outer?.all ?? []))
            // Changes are always in the order in which they were made.
            guard try both.flag("reverse") != true else {
                throw WebError(.badRequest, "Changes are given from the oldest to the newest only.").within("reverse")
            }
            token = try SyncToken.token("syncToken", in: members)
            limit = try both.resultsLimit()
            desiredKeys = try both.desiredKeys()
            types = try both.texts("desiredRecordTypes").map(Set.init)
            writer = try call.recordWriter()
            writer.numbersAsStrings = try both.numbersAsStrings()
        }

        func page(ofZone zone: String, _ call: Call) throws(WebError) -> [(String, JSON)] {
            let page = try calling { () throws(KinfolkError) in
                try call.database.changes(inZone: zone, since: token, limit: limit)
            }
            let records = page.records.filter { types?.contains($0.type) ?? true }
                .map { writer.json($0, desiredKeys: desiredKeys) }
            let deleted = page.deleted.filter { types?.contains($0.type) ?? true }
                .map { writer.json(deleted: $0.id, type: $0.type) }
            return [
                ("records", .array(records + deleted)), ("syncToken", SyncToken.json(page.token)),
                ("moreComing", .boolean(page.moreComing)),
            ]
        }
    }
}
