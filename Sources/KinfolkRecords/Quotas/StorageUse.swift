/// How many bytes one person has stored in a container, and may store.
public struct StorageUse: Hashable, Sendable {
    /// The bytes of the private database: of sealed records and sealed assets.
    public let privateBytes: Int
    /// What the private database may have; nil if it has no limit.
    public let privateQuota: Int?
    /// The bytes of what the person created in the public database. If there is a quota, also those that stayed there when an account
    /// with one of the person's addresses was erased, for 30 days, rounded up to a sixteenth of the quota.
    public let publicBytes: Int
    /// What the person may create there; nil if there is no limit for one person.
    public let publicQuota: Int?
}
