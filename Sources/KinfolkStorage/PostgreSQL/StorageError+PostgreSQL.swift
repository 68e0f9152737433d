extension StorageError {
    /// The one place where a SQLSTATE becomes an error (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    init(sqlState state: String, isReading: Bool) {
        let kind: Kind =
            switch state {
            // Two transactions in each other's way: the server undid this one.
            case "40001", "40P01": .interrupted
            // The server stops or starts, or this session was ended by its operator.
            case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .interrupted
            // It has become a standby, unless it was us who promised to write nothing.
            case "25006": isReading ? .misuse : .interrupted
            // What came of the transaction is not known (CockroachDB).
            case "40003": .inDoubt
            case "55P03": .busy
            // It took longer than a statement may.
            case "57014": .inputOutput
            case "53100": .full
            case "42501", "28000", "28P01": .notPermitted
            case "3D000": .missing
            case "XX001", "XX002": .corrupt
            // All statements are our own: a table, a column or a function of the schema is missing, or has another type.
            case "42P01", "42703", "42883", "42804", "42846": .corrupt
            default:
                switch state.prefix(2) {
                case "08": .interrupted
                // A value that does not fit, or a row that is in the way or missing: somebody else wrote it.
                case "22", "23": .corrupt
                case "53": .unreachable
                default: .misuse
                }
            }
        self.init(kind, detail: "SQLSTATE \(state)")
    }

    /// Whether nothing will come of this session any more.
    var endsSession: Bool { kind == .interrupted && detail != "SQLSTATE 40001" && detail != "SQLSTATE 40P01" }
}
