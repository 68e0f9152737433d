package import KinfolkModel

/// A custom zone that was made or deleted, as indexes that are derived from zones see it.
package struct ZoneChange {
    /// The default zone of the database.
    package let database: RecordPlace
    package let name: String
    package let number: Int64
    /// The device whose session makes the change.
    package let device: RandomID
}
