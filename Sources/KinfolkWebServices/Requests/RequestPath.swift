import Kinfolk

/// What a path of the protocol names: `/database/1/com.example.notes/production/public/records/query`.
struct RequestPath: Sendable {
    /// Which part of the service answers.
    enum Root: String, Sendable {
        case database
        case device
        case kinfolk
    }

    let root: Root
    let container: String
    let environment: ContainerEnvironment
    /// Public, private or shared; nil if the path has none.
    let database: String?
    /// The rest: `records/query`.
    let operation: String

    private static let version = "1"

    /// Nil if the path is not one of the protocol. Percent-encoding is not decoded: no part of a path needs it.
    init?(_ path: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let root = parts.popFirst().flatMap({ Root(rawValue: String($0)) }), parts.popFirst() == "1",
            let container = parts.popFirst(), let environment = parts.popFirst()
        else { return nil }
        switch environment {
        case "development": self.environment = .development
        case "production": self.environment = .production
        default: return nil
        }
        self.root = root
        self.container = String(container)
        let names = ["public", "private", "shared"]
        if root == .database, let database = parts.first.map(String.init), names.contains(database) {
            self.database = database
            parts = parts.dropFirst()
        } else {
            database = nil
        }
        operation = parts.joined(separator: "/")
    }
}
