/// What to do when somebody saved the record since it was fetched.
///
/// Fields that the saved record does not hold stay as they are in the store under each of the three, unless they were
/// removed.
public enum SavePolicy: Int32, Sendable, CaseIterable {
    /// Fail with ``KinfolkError/Code/serverRecordChanged``.
    case ifServerRecordUnchanged = 0
    /// Write the fields that were changed.
    case changedKeys = 1
    /// Write all fields.
    case allKeys = 2
}
