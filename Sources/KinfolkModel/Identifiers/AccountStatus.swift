/// Whether the account behind a session may be used.
public enum AccountStatus: Int32, Sendable, CaseIterable {
    /// The store cannot be reached.
    case couldNotDetermine = 0
    /// The account may be used.
    case available = 1
    /// The account is suspended.
    case restricted = 2
    /// Nobody is signed in, or the account was erased.
    case noAccount = 3
}
