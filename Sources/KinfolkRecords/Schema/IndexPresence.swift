/// Which entries of a record are meant. They differ while an index is being built or removed, when some records have their entries, and
/// others do not.
package enum IndexPresence: Sendable {
    /// The entries that each record has: of indexes that are complete. Queries use these.
    case certain
    /// The entries that a record has after it was written: of indexes that are declared.
    case wanted
    /// The entries that a record may have.
    case possible
}
