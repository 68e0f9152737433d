/// What `Service.check(progress:)` has found out.
public struct StoreCheck: Hashable, Sendable {
    /// How many rows of one table were looked at.
    public struct Table: Hashable, Sendable {
        /// The table's name.
        public let name: String
        /// How many rows it has.
        public let rows: Int
    }

    /// What is wrong with some rows of one table. It names no person, address or key.
    public struct Finding: Hashable, Sendable {
        /// What is wrong. The raw values are those of `kinfolk_finding` in C.
        public enum Kind: Int32, Hashable, Sendable, CaseIterable {
            /// The file is damaged there, or what it says has a form that nobody writes.
            case damaged = 0
            /// A sealed value does not open.
            case sealed = 1
            /// The row, or one of those that it authenticates, is not what was written with the key.
            case changed = 2
            /// A row is missing that follows from others.
            case missing = 3
            /// A row is there that belongs to nothing.
            case unexpected = 4
            /// A row says something else than what it follows from.
            case different = 5
            /// A count is not that of the rows.
            case miscounted = 6
        }

        /// The table's name; empty for the file as a whole.
        public let table: String
        /// What is wrong.
        public let kind: Kind
        /// How often it was found.
        public let count: Int
    }

    /// The tables, in the order in which they are made.
    public let tables: [Table]

    /// What is wrong: each kind once for each table, in their order. Empty if the store is sound.
    public let findings: [Finding]

    /// Whether nothing is wrong.
    public var isSound: Bool { findings.isEmpty }

    /// How many rows were looked at.
    public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
}

extension StoreCheck.Finding.Kind {
    /// What that means, in English: "a sealed value does not open".
    public var explanation: String {
        switch self {
        case .damaged: "the file is damaged"
        case .sealed: "a sealed value does not open"
        case .changed: "a row was changed without the key"
        case .missing: "a derived row is missing"
        case .unexpected: "a row belongs to nothing"
        case .different: "a derived row is not what it is derived from"
        case .miscounted: "a count is wrong"
        }
    }
}
