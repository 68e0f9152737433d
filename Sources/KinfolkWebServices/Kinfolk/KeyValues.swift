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
            } catch { entries.append(.object([("key", .string(key))] + WebError(error).members)) }
        }
        return ["entries": .array(entries)]
    }

    private static let reasons: [KeyValueChange.Reason: String] = [
        .serverChange: "SERVER_CHANGE", .initialSyncChange: "INITIAL_SYNC_CHANGE",
        .quotaViolationChange: "QUOTA_VIOLATION_CHANGE", .accountChange: "ACCOUNT_CHANGE",
    ]

    /// Which keys other devices have changed since this one last asked.
    static func synchronize(_ call: Call) throws(WebError) -> JSON {
        let changes = try calling { () throws(KinfolkError) in try call.session.keyValueStore().synchronize() }
        return [
            "changes": .array(
                changes.map { change in
                    [
                        "reason": .string(reasons[change.reason] ?? ""),
                        "keys": .array(change.keys.map(JSON.string)),
                    ]
                }
            )
        ]
    }
}
