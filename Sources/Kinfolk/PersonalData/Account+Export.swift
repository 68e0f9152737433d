import KinfolkStorage

extension Account {
    /// Everything that is held about the person, as JSON: name, addresses, status; and for each container the user record ID,
    /// every decision about discoverability with the wording shown, whom they blocked, when the operator looked them up, and
    /// both user records.
    ///
    /// Moments are in RFC 3339, bytes in hexadecimal.
    public func export() throws(KinfolkError) -> String {
        try service.read { db in
            let id = id
            let account = try row(db)
            let keys = try service.keys(db)
            let name = try account.name(with: keys)
            let codes = try EmailTable.all(of: id, db).map { row in
                let tags = try keys.tags(of: row.open(with: keys).hash)
                return try tags.flatMap { try VerificationTable.issuedAt(for: $0, of: id, db) }.sorted()
            }
            let emails = try Array(zip(emails(db), codes))
            let uses = try uses(db)
            var json = JSONWriter()
            json.object([
                ("account_id", { $0.string(id.description) }),
                ("created_at", { $0.string(account.createdAt.description) }),
                ("suspended", { $0.boolean(account.isSuspended) }),
                ("given_name", { $0.string(name.givenName) }),
                ("family_name", { $0.string(name.familyName) }),
                ("emails", { $0.array(emails) { $1.0.write(to: &$0, codes: $1.1) } }),
                ("containers", { $0.array(uses) { $1.write(to: &$0) } }),
            ])
            return json.text + "\n"
        }
    }

    private func uses(_ db: Connection) throws -> [ContainerUse] {
        let containers = try db.all(
            """
            SELECT c.container_id, c.name, u.record_id, u.created_at FROM users u
            JOIN containers c ON c.container_id = u.container_id
            WHERE u.account_id = $1 ORDER BY c.name
            """,
            .id(id.value)
        ) { row in
            (
                number: row.integer(0), name: row.text(1), id: row.withBytes(2, RandomID.init(bytes:)),
                since: Timestamp(microseconds: row.integer(3))
            )
        }
        let limits = try LimitTable.all(of: id, service.keys(db), db)
        return try containers.compactMap { container in
            guard let record = container.id.map(UserRecordID.init) else { return nil }
            let keys = try service.keys(ofContainer: container.number, in: db)
            return ContainerUse(
                name: container.name,
                userRecordID: record,
                since: container.since,
                limits: limits.filter { $0.holder.container == container.number },
                asked: try PrivateChargeTable.find(of: id, in: container.number, db),
                decisions: try ConsentTable.all(of: id, in: container.number, keys, db),
                blocked: try BlockTable.blocked(by: record, in: container.number, db),
                lookedUpAt: try AuditTable.moments(of: record, in: container.number, db),
                records: try Database.allCases.compactMap { database in
                    try RecordTable.record(record, database, in: container.number, keys, db)
                }
            )
        }
    }
}

extension AccountEmail {
    fileprivate func write(to json: inout JSONWriter, codes: [Timestamp]) {
        json.object([
            ("address", { $0.string(spelling) }),
            ("added_at", { $0.string(addedAt.description) }),
            ("verified_at", { json in verifiedAt.map { json.string($0.description) } ?? json.null() }),
            ("discoverable", { $0.boolean(isDiscoverable) }),
            ("codes_issued_at", { $0.array(codes) { $0.string($1.description) } }),
        ])
    }
}
