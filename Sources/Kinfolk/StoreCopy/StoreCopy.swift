/// The result of `Service/copy(to:wait:progress:)`.
public struct StoreCopy: Hashable, Sendable {
    /// The result for one table.
    public struct Table: Hashable, Sendable {
        /// The table's name.
        public let name: String
        /// How many rows the copy has.
        public let rows: Int
        /// How many rows this call wrote: all rows in a new copy; in an existing copy, the rows of the ranges that differed.
        public let copiedRows: Int
    }

    /// The tables, in the order in which they are created.
    public let tables: [Table]

    /// SHA-256 of all rows, in hexadecimal digits. Copies have the same checksum if and only if all rows are equal, on either
    /// engine.
    public let checksum: String

    /// How many rows the copy has in all.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
    /// How many rows this call wrote.
    public var copiedRows: Int { tables.reduce(0) { $0 + $1.copiedRows } }

    /// The progress of a copy.
    public struct Progress: Hashable, Sendable {
        /// The steps of a copy.
        public enum Step: Hashable, Sendable {
            /// The store is being read and compared with the copy.
            case comparing
            /// Rows that are missing or differ are being written.
            case copying
            /// The copy is being read back.
            case verifying
        }

        /// The current step.
        public let step: Step
        /// How many rows of the step are done.
        public let rows: Int
        /// How many rows there are in the step; nil while that is unknown.
        public let total: Int?
    }
}
