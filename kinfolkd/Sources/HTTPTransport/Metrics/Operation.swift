/// The operations by name, for metrics and logs. Paths hold IDs and names, so these never do.
public struct Operation: Sendable, Hashable {
    let index: Int

    public var name: String { Operation.names[index] }

    static var count: Int { names.count }

    /// All others.
    static let other = Operation(index: 0)

    /// The operation that the path of a target ends with, or the page or ticket that it begins with. The target may have a query.
    init(target: String) {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let first = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        if let name = Operation.roots.first(where: { $0.utf8.elementsEqual(first) }),
            let index = Operation.indices[Substring(name)]
        {
            self.init(index: index)
            return
        }
        guard let last = path.lastIndex(of: UInt8(ascii: "/")) else {
            self = .other
            return
        }
        let before = path[..<last].lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        for start in [before, path.index(after: last)]
        where path.distance(from: start, to: path.endIndex) <= Operation.longest {
            if let index = Operation.indices[Substring(path[start...])] {
                self.init(index: index)
                return
            }
        }
        self = .other
    }

    static var all: [Operation] { names.indices.map { Operation(index: $0) } }

    private init(index: Int) { self.index = index }

    private static let longest = names.map(\.utf8.count).max() ?? 0
    private static let indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { (Substring($1), $0) })

    /// What follows these in a path is no operation.
    private static let roots = ["asset", "courier", "sign-in", "account"]

    private static let names = [
        "other", "healthz", "readyz", "metrics",
        "users/caller", "users/current", "users/discover", "lookup/email", "lookup/id",
        "records/query", "records/lookup", "records/modify", "records/changes", "records/resolve", "records/accept",
        "changes/database", "changes/zone", "zones/list", "zones/lookup", "zones/modify", "zones/changes",
        "subscriptions/list", "subscriptions/lookup", "subscriptions/modify",
        "tokens/create", "tokens/register", "assets/upload", "assets/rereference",
        "notifications", "discoverability", "discovery/hashes", "discovery/private", "blocks/list", "blocks/modify",
        "keyvalue/list", "keyvalue/modify", "keyvalue/synchronize", "records/count", "account/export", "account/erase",
        "token", "sign-out", "asset", "courier", "sign-in", "account",
    ]
}
