/// The databases of a container: one that all its users share, and one of each user.
public enum DatabaseScope: Int32, Sendable, CaseIterable {
    /// Everybody can read its records. A record can be changed by its creator.
    case `public` = 0
    /// Only its own user can read and write it.
    case `private` = 1
}
