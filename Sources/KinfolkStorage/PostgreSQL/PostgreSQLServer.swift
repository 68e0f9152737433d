/// The kind of server behind PostgreSQL's protocol.
enum PostgreSQLServer: String {
    case postgreSQL = "PostgreSQL"
    /// A distributed server based on PostgreSQL: one machine does not know what the others have committed.
    case spread
    case cockroachDB = "CockroachDB"

    /// A query that returns the raw value of one of these cases.
    static let query = """
        SELECT CASE WHEN version() LIKE 'CockroachDB%' THEN 'CockroachDB'
        WHEN version() LIKE '%-YB-%' OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN 'spread'
        ELSE 'PostgreSQL' END
        """

    /// Whether it is a real PostgreSQL server: it reports snapshots and the outcomes of transactions, and its locks apply to all
    /// clients.
    var isPostgreSQL: Bool { self == .postgreSQL }

    /// A text type that is ordered by bytes. CockroachDB has no other order, and does not know the collation "C".
    var textType: String { self == .cockroachDB ? "TEXT" : "TEXT COLLATE \"C\"" }
}
