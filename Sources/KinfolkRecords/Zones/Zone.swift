/// A custom zone as it is in the store.
package struct Zone: Sendable {
    /// The internal number: that of the change that made it. No other zone of the database has or had it.
    package let number: Int64
    package let name: String
    /// The number of the last change in the zone.
    package let change: Int64
    /// How many records of the zone were deleted.
    package let deletions: Int64
    /// The last change whose tombstones were purged; 0 if none were.
    package let forgotten: Int64
}
