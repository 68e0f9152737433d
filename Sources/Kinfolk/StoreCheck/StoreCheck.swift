/// The result of `Service.check(progress:)`.
public struct StoreCheck: Hashable, Sendable {
    /// A table that was checked.
    public struct Table: Hashable, Sendable {
        /// The table's name.
        public let name: String
        /// How many rows the table has.
        public let rows: Int
    }

    /// A kind of damage in one table. It contains no person, address or key.
    public struct Finding: Hashable, Sendable {
        /// The kind of damage. The raw values are those of `kinfolk_finding` in C.
        public enum Kind: Int32, Hashable, Sendable, CaseIterable {
            /// The file is damaged there, or a value has a form that Kinfolk never writes.
            case damaged = 1
            /// A sealed value cannot be opened.
            case sealed = 2
            /// The row, or one of the rows that it authenticates, was changed without the key.
            case changed = 3
            /// A row that should be derived from other rows is missing.
            case missing = 4
            /// There is a row that belongs to nothing.
            case unexpected = 5
            /// A row that is derived from others differs from the data that it is derived from.
            case different = 6
            /// A stored count differs from the number of rows.
            case miscounted = 7
        }

        /// The table's name; empty for the file as a whole.
        public let table: String
        /// The kind of damage.
        public let kind: Kind
        /// How many times it was found.
        public let times: Int
    }

    /// The tables, in the order in which they are created.
    public let tables: [Table]

    /// What is wrong: each kind once for each table, in the same order. Empty if the store is sound.
    public let findings: [Finding]

    /// Whether nothing is wrong.
    public var isSound: Bool { findings.isEmpty }

    /// How many rows all tables have.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}

extension StoreCheck.Finding.Kind {
    /// An English explanation, such as "a sealed value does not open".
    public var explanation: String {
        switch self {
        case .damaged: "the file is damaged"
        case .sealed: "a sealed value does not open"
        case .changed: "a row was changed without the key"
        case .missing: "a derived row is missing"
        case .unexpected: "a row belongs to nothing"
        case .different: "a derived row differs from the data that it is derived from"
        case .miscounted: "a count is wrong"
        }
    }
}
