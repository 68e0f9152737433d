import CLibPQ
import Glibc

extension PostgreSQLConnection {
    /// Distinguishes an invalid address from a server that does not answer.
    static func validate(_ address: PostgreSQLAddress, _ library: kinfolk_pg) throws {
        let options = library.PQconninfoParse(address.uri, nil)
        guard let options else { throw StorageError(.noAddress, detail: "libpq does not understand it") }
        library.PQconninfoFree(options)
    }

    /// - Parameter timeout: How many seconds each host has to answer, instead of what the address says.
    static func connect(
        _ address: PostgreSQLAddress,
        _ library: kinfolk_pg,
        isReadOnly: Bool,
        timeout: Int? = nil
    ) throws -> OpaquePointer {
        // Parameters after the address take precedence over it.
        let limit = timeout.map { [("connect_timeout", String($0))] } ?? []
        let handle = with(parameters(for: address, library, isReadOnly: isReadOnly) + limit) { keywords, values in
            library.PQconnectdbParams(keywords, values, 1)
        }
        guard let handle else { throw StorageError(.unreachable, detail: "no memory") }
        guard Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK else {
            defer { library.PQfinish(handle) }
            let message = library.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            // The first line says what is wrong; the others are hints.
            let reason = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
            throw StorageError(.unreachable, detail: reason)
        }
        return handle
    }

    /// The parameters for libpq: our defaults, and then the address, which takes precedence.
    static func parameters(
        for address: PostgreSQLAddress,
        _ library: kinfolk_pg,
        isReadOnly: Bool = false
    ) -> [(String, String)] {
        let defaults = [
            ("connect_timeout", "10"), ("application_name", "kinfolk"),
            ("target_session_attrs", isReadOnly ? "any" : "read-write"),
            ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"),
        ]
        let destination = PostgreSQLDestination(of: address, library)
        let security = destination.needsVerification ? [("sslmode", "verify-full")] : []
        return defaults + security + [("dbname", address.uri), ("client_encoding", "UTF8")]
    }

    /// Passes parameters to a function of libpq.
    static func with<Result>(
        _ parameters: [(String, String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        return (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                body(keywords.baseAddress, values.baseAddress)
            }
        }
    }

    func configure(for purpose: Connection.Purpose, schema: String?, lockTimeout: Double) throws {
        let limit = max(1, Int(statementTimeout * 1_000))
        var settings = [
            "SET statement_timeout = \(limit)",
            "SET lock_timeout = \(Int(min(max(lockTimeout, 0.001), 86_400) * 1_000))",
            // A client that freezes in the middle of a write must not block the others for long.
            "SET idle_in_transaction_session_timeout = \(max(limit, 30_000))",
        ]
        if let schema { settings.append("SET search_path = \(schema)") }
        // A sequential scan of a small table conflicts with every write to the table, and one of the two transactions would be
        // retried.
        if purpose != .read { settings.append("SET enable_seqscan = off") }
        // A plan made for the values of the first few runs may read the whole directory, and planning takes as long as running.
        settings.append("SET plan_cache_mode = force_generic_plan")
        settings.append(PostgreSQLServer.query)
        server = try PostgreSQLServer(rawValue: command(settings.joined(separator: "; "))) ?? .spread
        // Otherwise CockroachDB commits before each definition, and a migration could be left half done.
        if server == .cockroachDB { try command("SET autocommit_before_ddl = off") }
        guard server.isPostgreSQL else { return }
        // A plan that seems expensive is compiled, for tenths of a second, and `enable_seqscan` makes every sequential scan seem so.
        try command(
            "SET jit = off; PREPARE \(Prepared.moment) AS SELECT pg_current_snapshot(); \(PostgreSQLConnection.preparingSignal)"
        )
        // A standby that takes over has another timeline. After a crash, which resets the statistics, transaction numbers that
        // were lost are assigned again. Some servers, perhaps Aurora, do not provide this; then the outcome of a COMMIT whose
        // answer was lost is unknown.
        history = try find(
            """
            SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE
            substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || pg_postmaster_start_time() || ' ' ||
            (SELECT stats_reset FROM pg_stat_wal) END
            """
        )
    }

    /// The answer of a server that may not support the query; empty if it does not.
    private func find(_ sql: String) throws -> String {
        do { return try command(sql) } catch let error as StorageError {
            if isLost { throw error }
            return ""
        }
    }
}
