/// What ``Service/copy(to:wait:progress:)`` has made.
public struct StoreCopy: Hashable, Sendable {
    public struct Table: Hashable, Sendable {
        public let name: String
        public let rows: Int
        /// How many of the rows were written now: all in a new copy, and in one that was there those that stood where
        /// something differed.
        public let copiedRows: Int
    }

    public let tables: [Table]

    /// SHA-256 of all rows, in hexadecimal digits, by which copies can be compared: the same as long as no row differs, on
    /// whichever engine.
    public let checksum: String

    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
    public var copiedRows: Int { tables.reduce(0) { $0 + $1.copiedRows } }

    /// How far the work is.
    public struct Progress: Hashable, Sendable {
        public enum Step: Hashable, Sendable {
            /// The store is read, and compared with what the copy has.
            case comparing
            /// Rows that are missing, or differ, are written.
            case copying
            /// The copy is read again.
            case verifying
        }

        public let step: Step
        public let rows: Int
        /// Of how many; nil while that is not known.
        public let total: Int?
    }
}
