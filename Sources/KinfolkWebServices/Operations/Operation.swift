import KinfolkJSON

/// An operation of the protocol.
struct Operation: Sendable {
    /// Whether it can be asked for with GET. Some clients ask for these with POST and an empty body.
    var allowsGET = false
    /// The databases about which it can be asked; the empty text stands for a path without one.
    var databases: Set<String> = ["public", "private"]
    /// Whether a server may ask for it.
    var allowsServers = true
    /// Whether it has a body.
    var readsBody = true
    /// Whether the body is JSON.
    var readsJSON = true
    /// Whether the person must have signed in a short time ago.
    var needsRecentSignIn = false
    /// Whether it needs a signed-in person or a server also in the public database.
    var needsUser = false
    let answer: @Sendable (Call) throws(WebError) -> WebAnswer

    static func json(_ body: @escaping @Sendable (Call) throws(WebError) -> JSON)
        -> @Sendable (Call) throws(WebError) -> WebAnswer
    {
        { call throws(WebError) in WebAnswer(try body(call)) }
    }

    /// Clients put some operations under a database, and others do not.
    private static let anywhere: Set<String> = ["public", "private", ""]

    /// The operation in a path; nil if there is none.
    static func at(_ path: RequestPath) -> Operation? {
        switch path.root {
        case .database: ofProtocol[path.operation]
        case .device: path.operation.hasPrefix("tokens/") ? ofProtocol[path.operation] : nil
        case .kinfolk: ofKinfolk[path.operation]
        }
    }

    /// The operations by their paths after the database.
    static let ofProtocol: [String: Operation] = [
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
        "assets/rereference": Operation(needsUser: true, answer: json(Assets.rereference)),
        "tokens/create": Operation(databases: Operation.anywhere, needsUser: true, answer: json(Tokens.create)),
        "tokens/register": Operation(databases: Operation.anywhere, needsUser: true, answer: json(Tokens.register)),
        "subscriptions/list": Operation(allowsGET: true, needsUser: true, answer: json(Subscriptions.list)),
        "subscriptions/lookup": Operation(
            databases: anywhere,
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
