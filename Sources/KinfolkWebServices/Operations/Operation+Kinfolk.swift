extension Operation {
    private static let withoutDatabase: Set<String> = [""]

    /// An operation of a signed-in person about themself.
    private static func ofPerson(
        allowsGET: Bool = false,
        readsBody: Bool = true,
        readsJSON: Bool = true,
        needsRecentSignIn: Bool = false,
        _ answer: @escaping @Sendable (Call) throws(WebError) -> WebAnswer
    ) -> Operation {
        Operation(
            allowsGET: allowsGET,
            databases: withoutDatabase,
            allowsServers: false,
            readsBody: readsBody,
            readsJSON: readsJSON,
            needsRecentSignIn: needsRecentSignIn,
            needsUser: true,
            answer: answer
        )
    }

    /// The operations below `/kinfolk/1/`, which CloudKit Web Services do not have.
    static let ofKinfolk: [String: Operation] = [
        "account/erase": ofPerson(needsRecentSignIn: true, json(OwnAccount.erase)),
        "account/export": ofPerson(allowsGET: true, needsRecentSignIn: true, OwnAccount.export),
        "blocks/list": ofPerson(allowsGET: true, json(Blocks.list)),
        "blocks/modify": ofPerson(json(Blocks.modify)),
        "discoverability": ofPerson(allowsGET: true, json(OwnDiscoverability.answer)),
        "discovery/hashes": ofPerson(json(HashedDiscovery.answer)),
        "discovery/private": ofPerson(readsJSON: false, PrivateMessages.answer),
        "documents/changes": ofPerson(json(OwnDocuments.changes)),
        "documents/list": ofPerson(allowsGET: true, json(OwnDocuments.list)),
        "documents/lookup": ofPerson(json(OwnDocuments.lookup)),
        "documents/modify": ofPerson(json(OwnDocuments.modify)),
        "documents/upload": ofPerson(json(OwnDocuments.upload)),
        "keyvalue/list": ofPerson(allowsGET: true, json(KeyValues.list)),
        "keyvalue/modify": ofPerson(json(KeyValues.modify)),
        "keyvalue/synchronize": ofPerson(json(KeyValues.synchronize)),
        "notifications": ofPerson(allowsGET: true, readsBody: false, Notifications.stream),
        "sign-out": ofPerson(json(SignInCodes.signOut)),
        "token": Operation(databases: withoutDatabase, allowsServers: false, answer: json(SignInCodes.redeem)),
        "records/count": Operation(databases: withoutDatabase, answer: json(RecordsQuery.count)),
    ]
}
