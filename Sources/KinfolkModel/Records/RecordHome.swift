/// The database in which a record is.
package struct RecordHome: Sendable, Hashable {
    package let container: Int64
    package let database: DatabaseScope
    /// Whose private database; nil for the public one.
    package let owner: UserRecordID?

    package init(container: Int64, database: DatabaseScope, owner: UserRecordID?) {
        self.container = container
        self.database = database
        self.owner = owner
    }
}
