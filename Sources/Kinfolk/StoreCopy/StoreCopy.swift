/// What `Service/copy(to:wait:progress:)` has made.
public struct StoreCopy: Hashable, Sendable {
    /// What became of one table.
    public struct Table: Hashable, Sendable {
        /// The table's name.
        public let name: String
        /// How many rows the copy has.
        public let rows: Int
        /// How many of the rows were written now: all in a new copy, and in one that was there those that stood where
        /// something differed.
        public let copiedRows: Int
    }

    /// The tables, in the order in which they are made.
    public let tables: [Table]

    /// SHA-256 of all rows, in hexadecimal digits, by which copies can be compared: the same as long as no row differs, on
    /// whichever engine.
    public let checksum: String

    /// How many rows the copy has in all.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
    /// How many of them were written now.
    public var copiedRows: Int { tables.reduce(0) { $0 + $1.copiedRows } }

    /// How far the work is.
    public struct Progress: Hashable, Sendable {
        /// What is being done.
        public enum Step: Hashable, Sendable {
            /// The store is read, and compared with what the copy has.
            case comparing
            /// Rows that are missing, or differ, are written.
            case copying
            /// The copy is read again.
            case verifying
        }

        /// What is being done.
        public let step: Step
        /// How many rows that has been done with.
        public let rows: Int
        /// Of how many; nil while that is not known.
        public let total: Int?
    }
}
