package import KinfolkModel

/// A change of a record that waits for the readers of its database.
package struct OutboxRow {
    package enum Kind: Int64, Sendable {
        case created = 0
        case changed = 1
        case deleted = 2
    }

    /// The place in the order of its lane. Used again after the row was deleted.
    package let sequence: Int64
    /// The user whose private database it is; nil for the public one.
    package let owner: UserRecordID?
    package let type: Int64
    /// The record's internal number.
    package let number: Int64
    package let kind: Kind
    /// The content of a deleted record. Nil if its creator was erased.
    package let before: RecordContent?
}
