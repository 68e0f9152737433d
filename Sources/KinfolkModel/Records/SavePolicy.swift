/// What to do if the record was saved by another session since it was fetched.
///
/// Under all three policies, fields that the saved record does not contain are left unchanged in the store, unless they were
/// removed.
public enum SavePolicy: Int32, Sendable, CaseIterable {
    /// Fail with ``KinfolkError/Code/serverRecordChanged``.
    case ifServerRecordUnchanged = 0
    /// Write the fields that were changed.
    case changedKeys = 1
    /// Write all fields.
    case allKeys = 2
}
