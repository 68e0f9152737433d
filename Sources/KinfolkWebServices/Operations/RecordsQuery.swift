import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// `records/query`: the records of a type that satisfy filters, a page of them.
enum RecordsQuery {
    static func answer(_ call: Call) throws(WebError) -> JSON {
        guard let query = try call.members.object("query") else { throw .missing("query") }
        let zone = try zone(call)
        let cursor = try cursor(call.members)
        let limit = try call.members.resultsLimit()
        let desiredKeys = try call.members.desiredKeys()
        let writer = try call.recordWriter()
        let reader = QueryReader(
            values: ValueReader(zones: call.zones, zone: zone),
            schema: try call.schema()
        )
        let parsed: Query
        do throws(WebError) { parsed = try reader.query(query) } catch { throw error.within("query") }
        let page = try calling { () throws(KinfolkError) in
            try call.database.query(parsed, inZone: zone, desiredKeys: desiredKeys, limit: limit, after: cursor)
        }
        var members: [(String, JSON)] = [
            ("records", .array(page.records.map { writer.json($0, desiredKeys: desiredKeys) }))
        ]
        if let cursor = page.cursor { members.append(("continuationMarker", .string(Base64.text(cursor.bytes)))) }
        return .object(members)
    }

    /// How many records satisfy a query. The member `database` is `public` or `private`.
    static func count(_ call: Call) throws(WebError) -> JSON {
        var call = call
        switch try call.members.text("database") {
        case nil, "public": break
        case "private":
            guard call.caller.kind != .server else { throw DatabaseRequest.serverRefusal }
            guard call.caller.kind == .person else { throw call.services.needsSignIn(call.caller) }
            call.scope = .private
        default: throw .malformed("database", "public or private")
        }
        guard let query = try call.members.object("query") else { throw .missing("query") }
        let zone = try zone(call)
        let reader = QueryReader(values: ValueReader(zones: call.zones, zone: zone), schema: try call.schema())
        let parsed: Query
        do throws(WebError) { parsed = try reader.query(query) } catch { throw error.within("query") }
        let count = try calling { () throws(KinfolkError) in try call.database.count(parsed, inZone: zone) }
        return ["count": .count(count)]
    }

    /// The zone to search; nil for all zones.
    private static func zone(_ call: Call) throws(WebError) -> String? {
        if let zone = try call.zones.name(in: call.members) { return zone }
        let isWide = try call.members.flag("zoneWide") ?? false
        return isWide && call.scope == .private ? nil : RecordZone.defaultName
    }

    private static func cursor(_ members: Members) throws(WebError) -> QueryCursor? {
        guard let text = try members.text("continuationMarker") else { return nil }
        guard let bytes = Base64.bytes(text) else { throw .malformed("continuationMarker", "one of this service") }
        return try calling { () throws(KinfolkError) in try QueryCursor(bytes: bytes) }
    }
}

extension Members {
    /// The most records of an answer: those that the client asks for, but not more than the service gives.
    func resultsLimit(_ standard: Int = maximumItems) throws(WebError) -> Int {
        guard let limit = try integer("resultsLimit") else { return standard }
        guard limit > 0 else { throw .malformed("resultsLimit", "greater than 0") }
        return Int(min(limit, Int64(Members.maximumItems)))
    }
}
