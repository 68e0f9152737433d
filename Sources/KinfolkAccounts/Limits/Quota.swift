/// What the operator of a container can limit, in bytes.
///
/// Stored bytes are counted: those of the sealed records and of the sealed assets, with their padding. Indexes and other rows that
/// follow from records are not counted.
public enum Quota: Int32, Sendable, CaseIterable {
    /// The private database of each user.
    case user = 0
    /// The public database.
    case publicDatabase = 1
    /// What each user created in the public database.
    case creator = 2
    /// The size of a single asset, before it is sealed.
    case asset = 3
    /// The keys and values of each user's key-value store, before they are sealed: at most 1,000,000 bytes in any case.
    case keyValueStore = 4
}
