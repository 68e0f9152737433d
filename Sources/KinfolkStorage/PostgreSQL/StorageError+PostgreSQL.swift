extension StorageError {
    /// The only place where a SQLSTATE is converted to an error (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    init(sqlState state: String, in transaction: PostgreSQLTransaction) {
        let kind: Kind =
            switch state {
            // Two transactions conflicted, and the server rolled this one back.
            case "40001", "40P01": .conflict
            // A key exists. Two concurrent writes may have chosen the same new key, and the server may have noticed that before
            // it noticed the conflict. If no other write was there, it is damage.
            case "23505" where transaction.isShared: .conflict
            // The server stops or starts, or its operator ended this session.
            case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .interrupted
            // The server has become a standby. If this connection is for reading, it has broken its own promise not to write.
            case "25006": transaction.isReading ? .misuse : .interrupted
            // The outcome of the transaction is unknown (CockroachDB).
            case "40003": .inDoubt
            case "55P03": .busy
            // The statement exceeded its time limit.
            case "57014": .inputOutput
            case "53100": .full
            case "42501", "28000", "28P01": .notPermitted
            case "3D000": .missing
            // A write read a setting that does not exist: see `prepareForWriting`.
            case "42704": .newer
            case "XX001", "XX002": .corrupt
            // All statements are our own, so a table, a column or a function of the schema is missing, or has another type.
            case "42P01", "42703", "42883", "42804", "42846": .corrupt
            default:
                switch state.prefix(2) {
                case "08": .interrupted
                // A value does not fit, or a row conflicts or is missing: another program wrote it.
                case "22", "23": .corrupt
                case "53": .unreachable
                default: .misuse
                }
            }
        self.init(kind, detail: "SQLSTATE \(state)")
    }

    /// Whether the session can no longer be used.
    var endsSession: Bool { kind == .interrupted }
}
