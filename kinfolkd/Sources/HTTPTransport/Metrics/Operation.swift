/// The operations by name, for metrics and logs. Paths hold IDs and names, so these never do.
public struct Operation: Sendable, Hashable {
    let index: Int

    public var name: String { Operation.names[index] }

    static var count: Int { names.count }

    /// All others.
    static let other = Operation(index: 0)

    /// The operation that a path ends with.
    init(path: String) {
        let bytes = path.utf8
        guard let last = bytes.lastIndex(of: UInt8(ascii: "/")) else {
            self = .other
            return
        }
        let start = bytes[..<last].lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        let index = Operation.indices[path[start...]] ?? Operation.indices[path[path.utf8.index(after: last)...]]
        self.init(index: index ?? 0)
    }

    static var all: [Operation] { names.indices.map { Operation(index: $0) } }

    private init(index: Int) { self.index = index }

    private static let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { (Substring($1), $0) })

    private static let names = [
        "other", "healthz", "readyz", "metrics",
        "users/caller", "users/current", "users/discover", "lookup/email", "lookup/id",
        "records/query", "records/lookup", "records/modify", "records/changes", "records/resolve", "records/accept",
        "changes/database", "changes/zone", "zones/list", "zones/lookup", "zones/modify", "zones/changes",
        "subscriptions/list", "subscriptions/lookup", "subscriptions/modify",
        "tokens/create", "tokens/register", "assets/upload", "assets/rereference",
        "notifications", "discovery", "contacts", "consent", "blocks", "counts", "export", "erasure", "sign-in", "sign-out",
    ]
}
