package import KinfolkModel

/// A record that was created, changed or deleted, as indexes that are derived from records see it.
package struct RecordChange {
    package let place: RecordPlace
    package let number: Int64
    /// Nil for a new record.
    package let before: RecordRow?
    /// Nil for a deleted record.
    package let after: RecordContent?
}
