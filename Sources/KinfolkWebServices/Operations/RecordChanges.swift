import Kinfolk
import KinfolkJSON

/// `records/changes` and `changes/zone`: the records of custom zones that changed since a token.
enum RecordChanges {
    /// How many bytes of records an answer has at most, and one page more.
    private static let maximumSize = 8 << 20

    /// The changes of one zone, in the older form.
    static func ofOneZone(_ call: Call) throws(WebError) -> JSON {
        guard let zone = try call.zones.name(in: call.members) else { throw .missing("zoneID") }
        var size = 0
        let token = try SyncToken.token("syncToken", in: call.members)
        let page = try Options(call.members).page(ofZone: zone, since: token, call, &size)
        return .object(page + [("reverse", .boolean(false))])
    }

    /// The changes of several zones. An error of one zone is an item of the answer.
    static func ofZones(_ call: Call) throws(WebError) -> JSON {
        let outer = try Options(call.members)
        var size = 0
        let zones = try call.members.list("zones") { json throws(WebError) in
            let members = try Members(json)
            guard try members.object("zoneID") != nil else { throw .missing("zoneID") }
            return try item(members, outer.overridden(by: members), call, &size)
        }
        guard let zones else { throw .missing("zones") }
        return ["zones": .array(zones)]
    }

    private static func item(
        _ members: Members,
        _ options: Options,
        _ call: Call,
        _ size: inout Int
    ) throws(WebError) -> JSON {
        do throws(WebError) {
            let zone = try call.zones.name(in: members) ?? RecordZone.defaultName
            guard size < maximumSize else {
                throw WebError(
                    .tryAgainLater,
                    "The zones before this one fill the answer: ask for fewer.",
                    retryAfter: 1
                )
            }
            let token = try SyncToken.token("syncToken", in: members)
            let page = try options.page(ofZone: zone, since: token, call, &size)
            return .object([("zoneID", call.zones.json(zone))] + page)
        } catch {
            guard error.code != .authenticationRequired else { throw error }
            return .object([("zoneID", members["zoneID"] ?? .null)] + error.members)
        }
    }

    /// What a request wants of each zone, unless the dictionary of the zone says otherwise.
    private struct Options {
        private var limit: Int
        private var desiredKeys: Set<String>?
        private var types: Set<String>?
        private var numbersAsStrings: Bool

        init(_ members: Members) throws(WebError) {
            limit = try members.resultsLimit()
            desiredKeys = try members.desiredKeys()
            types = try members.texts("desiredRecordTypes").map(Set.init)
            numbersAsStrings = try members.numbersAsStrings()
            try Options.requireOrder(members)
        }

        /// Changes are always in the order in which they were made.
        private static func requireOrder(_ members: Members) throws(WebError) {
            guard try members.flag("reverse") != true else {
                throw WebError(.badRequest, "Changes are given from the oldest to the newest only.").within("reverse")
            }
        }

        func overridden(by members: Members) throws(WebError) -> Options {
            var options = self
            options.limit = try members.resultsLimit(limit)
            if let keys = try members.desiredKeys() { options.desiredKeys = keys }
            if let types = try members.texts("desiredRecordTypes") { options.types = Set(types) }
            if try members.numbersAsStrings() { options.numbersAsStrings = true }
            try Options.requireOrder(members)
            return options
        }

        /// - Parameter size: The bytes of the records of the answer, to which those of the page are added.
        func page(
            ofZone zone: String,
            since token: ServerChangeToken?,
            _ call: Call,
            _ size: inout Int
        ) throws(WebError) -> [(String, JSON)] {
            let page = try calling { () throws(KinfolkError) in
                try call.database.changes(inZone: zone, since: token, limit: limit)
            }
            size += page.records.reduce(0) { $0 + $1.size }
            var writer = try call.recordWriter()
            writer.numbersAsStrings = numbersAsStrings
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
