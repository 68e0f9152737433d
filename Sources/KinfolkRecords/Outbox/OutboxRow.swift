package import KinfolkModel

/// A change of a database that waits for the readers of the database.
package struct OutboxRow {
    package enum Kind: Int64, Sendable {
        case created = 0
        case changed = 1
        case deleted = 2
        /// A custom zone was made or deleted.
        case zone = 3
    }

    /// The lane, and the place in its order.
    package let lane: Int64
    package let sequence: Int64
    /// A random number: the place is used again after the row was deleted.
    package let stamp: Int64
    /// Where the record is, or was; the default zone for a change of a zone.
    package let place: RecordPlace
    package let type: Int64
    /// The record's internal number; that of the zone for a change of a zone.
    package let number: Int64
    package let kind: Kind
    /// The device whose session made the change; nil if no session did.
    package let origin: RandomID?
    /// The last subscription that was notified of this change; 0 before the first one.
    package let reached: Int64
    /// The content of a deleted record. Nil if its creator was erased.
    package let before: RecordContent?
    /// The name of a zone that was made or deleted.
    package let zoneName: String?
}
