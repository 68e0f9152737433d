import KinfolkStorage

extension Account {
    /// Erases the account and everything held about it, in one transaction.
    ///
    /// References to the person in other people's records stay, dangling.
    ///
    /// - Returns: What was removed.
    public func erase() throws(KinfolkError) -> Erasure {
        let (emails, containers) = try service.write { db in
            try Directory(service: service).askAhead(id, db)
            _ = try row(db)
            // Suspended first, so that the directory lets go of its rows while they can still be derived.
            try Directory(service: service).changing(id, db) { try AccountTable.setSuspended(id, true, db) }
            let emails = try count("SELECT count(*) FROM emails WHERE account_id = $1", db)
            let containers = try count("SELECT count(*) FROM users WHERE account_id = $1", db)
            try delete(db)
            return (emails, containers)
        }
        service.watcher.stir()
        let isPending: Bool
        do { isPending = try !service.store.truncateLog() } catch { isPending = true }
        return Erasure(
            emails: emails,
            containers: containers,
            records: containers * Database.allCases.count,
            isPending: isPending
        )
    }

    private func count(_ sql: StaticString, _ db: Connection) throws -> Int {
        try db.first(sql, .id(id.value)) { Int($0.integer(0)) } ?? 0
    }

    /// Deletes the rows of all tables.
    private func delete(_ db: Connection) throws {
        try ConsentTable.delete(of: id, db)
        for sql in [
            """
            DELETE FROM records WHERE (container_id, record_id) IN
            (SELECT container_id, record_id FROM users WHERE account_id = $1)
            """,
            """
            DELETE FROM blocks WHERE (container_id, record_id) IN
            (SELECT container_id, record_id FROM users WHERE account_id = $1)
            """,
            """
            DELETE FROM blocks WHERE (container_id, blocked_id) IN
            (SELECT container_id, record_id FROM users WHERE account_id = $1)
            """,
            """
            UPDATE audit SET record_id = NULL, sealed_reason = NULL WHERE (container_id, record_id) IN
            (SELECT container_id, record_id FROM users WHERE account_id = $1)
            """,
            "DELETE FROM permits WHERE account_id = $1",
            "DELETE FROM private_charges WHERE account_id = $1",
            "DELETE FROM users WHERE account_id = $1",
            "DELETE FROM verified_emails WHERE tag IN (SELECT tag FROM emails WHERE account_id = $1) AND account_id = $1",
            "DELETE FROM verification_codes WHERE account_id = $1",
            "DELETE FROM emails WHERE account_id = $1",
            "DELETE FROM accounts WHERE account_id = $1",
        ] as [StaticString] {
            try db.execute(sql, .id(id.value))
        }
    }
}
