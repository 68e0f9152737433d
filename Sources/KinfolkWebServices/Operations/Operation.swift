import KinfolkJSON

/// An operation of the protocol.
struct Operation: Sendable {
    /// Whether it can be asked for with GET. Some clients ask for these with POST and an empty body.
    var allowsGET = false
    /// The databases about which it can be asked; the empty text stands for a path without one.
    var databases: Set<String> = ["public", "private"]
    /// Whether a server may ask for it.
    var allowsServers = true
    /// Whether it needs a signed-in person or a server also in the public database.
    var needsUser = false
    let answer: @Sendable (Call) throws(WebError) -> WebAnswer

    private static func json(_ body: @escaping @Sendable (Call) throws(WebError) -> JSON)
        -> @Sendable (Call) throws(WebError) -> WebAnswer
    {
        { call throws(WebError) in WebAnswer(try body(call)) }
    }

    /// The operations by their paths after the database.
    static let all: [String: Operation] = [
        "records/lookup": Operation(answer: json(RecordsLookup.answer)),
        "records/query": Operation(answer: json(RecordsQuery.answer)),
        "records/modify": Operation(needsUser: true, answer: RecordsModify.answer),
        "records/changes": Operation(answer: json(RecordChanges.ofOneZone)),
        "changes/zone": Operation(answer: json(RecordChanges.ofZones)),
        "changes/database": Operation(
            answer: json { call throws(WebError) in try Zones.changes(call, tokenName: "syncToken") }
        ),
        "zones/changes": Operation(
            answer: json { call throws(WebError) in try Zones.changes(call, tokenName: "metaSyncToken") }
        ),
        "zones/list": Operation(allowsGET: true, answer: json(Zones.list)),
        "zones/lookup": Operation(answer: json(Zones.lookup)),
        "zones/modify": Operation(needsUser: true, answer: json(Zones.modify)),
        "users/caller": Operation(allowsGET: true, needsUser: true, answer: json(Users.current)),
        "users/current": Operation(allowsGET: true, needsUser: true, answer: json(Users.current)),
        "users/discover": Operation(
            allowsGET: true,
            allowsServers: false,
            needsUser: true,
            answer: json(Users.discover)
        ),
        "users/lookup/email": Operation(allowsServers: false, needsUser: true, answer: json(Users.lookup)),
        "users/lookup/id": Operation(allowsServers: false, needsUser: true, answer: json(Users.lookup)),
        "assets/upload": Operation(needsUser: true, answer: json(Assets.upload)),
        "assets/rereference": Operation(answer: json(Assets.rereference)),
        "subscriptions/list": Operation(allowsGET: true, needsUser: true, answer: json(Subscriptions.list)),
        "subscriptions/lookup": Operation(
            databases: ["public", "private", ""],
            needsUser: true,
            answer: json(Subscriptions.lookup)
        ),
        "subscriptions/modify": Operation(needsUser: true, answer: json(Subscriptions.modify)),
        "records/resolve": Operation(databases: ["public", "private", "shared"], answer: json(unsupported)),
        "records/accept": Operation(databases: ["public", "private", "shared"], answer: json(unsupported)),
    ]

    private static func unsupported(_ call: Call) throws(WebError) -> JSON {
        throw WebError(.badRequest, "Kinfolk has no shared records.")
    }
}
