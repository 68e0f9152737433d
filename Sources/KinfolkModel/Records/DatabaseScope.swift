/// The databases of a container: one that all its users share, and one of each user.
public enum DatabaseScope: Int32, Sendable, CaseIterable {
    /// The grants of a record type say who may read, create and write its records. Without grants, everybody can read a record, and its
    /// creator can change it.
    case `public` = 0
    /// Only its own user can read and write it.
    case `private` = 1
}
