/// Which of a person's two user records.
public enum Database: Int32, Sendable, CaseIterable {
    /// Read by everybody in the container who has the ID, written by its own user.
    case `public` = 0
    /// Read and written by its own user.
    case `private` = 1
}
