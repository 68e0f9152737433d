package import KinfolkModel

/// A record that was created, changed or deleted, as indexes that are derived from records see it.
package struct RecordChange {
    package let place: RecordPlace
    package let number: Int64
    package let type: Int64
    /// Nil for a new record.
    package let before: RecordRow?
    /// Nil for a deleted record.
    package let after: RecordContent?
    /// Whether the record is deleted because its creator is erased: nothing of its content may stay in the store.
    package var isErasure = false
    /// The device whose session makes the change; nil if no session does.
    package var device: RandomID?
}
