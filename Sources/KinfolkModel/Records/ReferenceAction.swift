/// What happens to a record that refers to another one when its target is deleted.
public enum ReferenceAction: Int32, Sendable, CaseIterable {
    /// Nothing. The target need not exist.
    case none = 0
    /// The record is deleted with its target. The target must exist.
    case deleteSelf = 1
    /// The target must exist, and cannot be deleted as long as the record refers to it.
    case validate = 2
}
