/// A table of the store, declared once: what its columns hold, whose its rows are, and how each kind of work on all tables treats
/// it. Erasure, the deletion of a container, key rotation, copying and the integrity check are derived from these declarations,
/// and tests compare with them what cannot be derived, such as the export. So none of them can forget a table.
///
/// The tables are created by ``Schema``. A test compares the two.
package struct Table: Sendable {
    package let name: String
    package let columns: [Column]
    /// The rows of other tables without which a row does not exist. Empty for a table of the store as a whole.
    package let owners: [Owner]
    /// What happens to a row when one of its owners is removed.
    package let disposal: Disposal
    /// How a key rotation reaches the table's values.
    package let rotation: Rotation
    /// Where the export of a person shows the rows.
    package let export: Export
    /// The condition, in SQL, for the rows that a copy of the store takes over; nil for all.
    package let copiedRows: String?
    /// The condition, in SQL, that each row meets. It is about values that have no authentication code.
    package let rule: String?

    package init(
        _ name: String,
        _ columns: [Column],
        owners: [Owner] = [],
        disposal: Disposal = .deletion,
        rotation: Rotation,
        export: Export,
        copiedRows: String? = nil,
        rule: String? = nil
    ) {
        self.name = name
        self.columns = columns
        self.owners = owners
        self.disposal = disposal
        self.rotation = rotation
        self.export = export
        self.copiedRows = copiedRows
        self.rule = rule
    }
}

extension Table {
    /// What happens to a row when one of its owners is removed.
    package enum Disposal: Sendable {
        case deletion
        /// The row stays, with NULL in these columns.
        case clearing([String])
    }

    /// How a key rotation reaches the values of a table.
    package enum Rotation: Sendable {
        /// Together with the account to which the row belongs.
        case withAccount
        /// Row by row: all sealed values of the table are sealed again, without regard to the owners of the rows.
        case byRow
        /// By a function of the table's own.
        case byItself
        /// No value depends on keys that are rotated.
        case none
    }

    /// Where the export of a person shows the rows of a table. The export is not derived from this, but a test compares the two.
    package enum Export: Sendable {
        /// As these members of the account's object, or of the object of one container.
        case members([String])
        /// Not at all, and why.
        case nothing(because: String)
    }
}
