/// The databases of a container, in each of which a person has one user record.
public enum Database: Int32, Sendable, CaseIterable {
    /// Everybody in the container who has the ID can read the record; only its own user can write it.
    case `public` = 0
    /// Only its own user can read and write the record.
    case `private` = 1
}
