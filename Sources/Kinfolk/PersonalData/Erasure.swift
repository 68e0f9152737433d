/// What the erasure of an account removed.
public struct Erasure: Hashable, Sendable {
    /// E-mail addresses.
    public let emails: Int
    /// Containers that the account had used, with all that was kept there.
    public let containers: Int
    /// User records: two for each container, one in each database.
    public let records: Int
    /// Whether the store's write-ahead log may still hold what was erased, because a reader holds it. It is emptied after one
    /// of the next writes, or when the store is closed.
    public let isPending: Bool
}
