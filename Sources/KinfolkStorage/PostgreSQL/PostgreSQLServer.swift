/// What kind of server it is that speaks PostgreSQL's protocol.
enum PostgreSQLServer: String {
    case postgreSQL = "PostgreSQL"
    /// PostgreSQL's code over several machines: one of them does not know what the others have committed.
    case spread
    case cockroachDB = "CockroachDB"

    /// A query for the name of one of these.
    static let query = """
        SELECT CASE WHEN version() LIKE 'CockroachDB%' THEN 'CockroachDB'
        WHEN version() LIKE '%-YB-%' OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN 'spread'
        ELSE 'PostgreSQL' END
        """

    /// Whether it is what it seems to be: it tells which moment a transaction sees, and what became of one, and its locks hold
    /// for all who use it.
    var isPostgreSQL: Bool { self == .postgreSQL }

    /// Text in the order of its bytes. CockroachDB has no other, and knows no word for it.
    var textType: String { self == .cockroachDB ? "TEXT" : "TEXT COLLATE \"C\"" }
}
