/// The environments of a container. Each has its own users, records and schema, and nothing crosses between them.
public enum ContainerEnvironment: Int64, Sendable, CaseIterable {
    /// For the application's users.
    case production = 0
    /// For the application's programmers: its schema always grows with use.
    case development = 1
}
