import Kinfolk
import KinfolkJSON

/// `keyvalue/list`, `keyvalue/modify` and `keyvalue/synchronize`: the settings of the caller.
enum KeyValues {
    static func list(_ call: Call) throws(WebError) -> JSON {
        let store = try calling { () throws(KinfolkError) in call.session.keyValueStore() }
        let entries = try calling { () throws(KinfolkError) in try store.entries() }
        return ["entries": .array(entries.map { entry($0.key, $0.value) })]
    }

    private static func entry(_ key: String, _ value: PropertyListValue) -> JSON {
        .object([("key", .string(key))] + PropertyListWriter.members(value))
    }

    /// Sets and removes keys, one after the other. Each has its own result.
    static func modify(_ call: Call) throws(WebError) -> JSON {
        let changes = try call.members.list("operations") { json throws(WebError) in
            let members = try Members(json)
            let kind = try members.requiredText("operationType")
            guard ["set", "remove"].contains(kind) else { throw .malformed("operationType", "set or remove") }
            let key = try members.requiredText("key")
            return (key: key, value: kind == "set" ? try PropertyListReader.value(of: members) : nil)
        }
        guard let changes else { throw .missing("operations") }
        let store = call.session.keyValueStore()
        var entries: [JSON] = []
        for (key, value) in changes {
            do throws(KinfolkError) {
                if let value {
                    try store.set(value, forKey: key)
                    entries.append(entry(key, value))
                } else {
                    try store.removeValue(forKey: key)
                    entries.append(["key": .string(key), "deleted": .boolean(true)])
                }
            } catch { entries.append(.object([("key", .string(key))] + KeyValues.error(error).members)) }
        }
        return ["entries": .array(entries)]
    }

    /// A value that is larger than all of them may be has no room, like one that is too large for what is there.
    private static func error(_ error: KinfolkError) -> WebError {
        error.code == .limitExceeded ? WebError(.quotaExceeded, error.reason) : WebError(error)
    }

    /// Which keys other devices have changed since a token. A key that could not be set is an error of `keyvalue/modify`, and an account that
    /// is suspended one of the whole request: so there are no changes with those reasons.
    static func synchronize(_ call: Call) throws(WebError) -> JSON {
        let token = try SyncToken.token("syncToken", in: call.members)
        let found = try calling { () throws(KinfolkError) in
            try KeyValueStore.changes(of: call.session, since: token)
        }
        let changes = found.changes.map { change -> JSON in
            let reason = change.reason == .initialSyncChange ? "INITIAL_SYNC_CHANGE" : "SERVER_CHANGE"
            return ["reason": .string(reason), "keys": .array(change.keys.map(JSON.string))]
        }
        var members: [(String, JSON)] = [("changes", .array(changes))]
        if let token = found.token { members.append(("syncToken", SyncToken.json(token))) }
        return .object(members)
    }
}
