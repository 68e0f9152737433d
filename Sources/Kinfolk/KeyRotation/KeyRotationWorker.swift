import KinfolkCrypto
import KinfolkStorage

/// Seals and indexes anew, under the newest keys, what the store holds of each account, in the order of the account IDs.
///
/// How far it has come is in the store, so that any process can go on. What is written meanwhile is under the newest keys
/// already; to seal it anew does no harm.
struct KeyRotationWorker {
    /// So many that a transaction takes some hundredths of a second.
    private static let batchSize = 100

    let service: Service

    func count() throws -> Int {
        try service.store.read { db in try db.first("SELECT count(*) FROM accounts") { Int($0.integer(0)) } ?? 0 }
    }

    /// Does the next accounts. Nil when there are no more, or somebody else has ended the rotation.
    func rotateBatch() throws -> Int? {
        try service.store.write { db in
            guard let position = try ServiceTable.value("rotation", db) else { return nil }
            let last = position.withUnsafeBytes(RandomID.init(bytes:)).map(AccountID.init)
            let ids = try AccountTable.ids(after: last, limit: KeyRotationWorker.batchSize, db)
            guard let newLast = ids.last else { return nil }
            let keys = try service.keys(db)
            for id in ids { try rotate(id, keys, db) }
            try ServiceTable.set("rotation", newLast.value.bytes, db)
            return ids.count
        }
    }

    private func rotate(_ id: AccountID, _ keys: KeyRing, _ db: Connection) throws {
        guard let account = try AccountTable.row(id, db) else { return }
        try Directory(service: service).changing(id, db) {
            try AccountTable.setName(id, account.name(with: keys), keys, db)
            for row in try EmailTable.all(of: id, db) {
                let address = try row.open(with: keys)
                let tag = keys.newest.emailTags.tag(address.hash)
                try EmailTable.move(row, to: tag, address, keys, db)
                if tag != row.tag { try VerificationTable.move(row.tag, to: tag, of: id, db) }
            }
        }
        for (container, record) in try UserTable.uses(of: id, db) {
            let keys = try keys.container(container, db)
            try ConsentTable.reseal(of: id, in: container, keys, db)
            for database in Database.allCases { try RecordTable.reseal(record, database, in: container, keys, db) }
        }
    }

    /// Ends the old keys, once nothing is sealed under them any more.
    func finish() throws {
        // Looked for while others go on: whatever they write is under the newest keys.
        try service.store.read { db in
            guard try ServiceTable.value("rotation", db) != nil else { return }
            let keys = try service.keys(db)
            try KeyRotationWorker.demandThatAll(
                "SELECT DISTINCT substr(sealed_name, 1, 4) FROM accounts",
                keys.sealing,
                db
            )
            try KeyRotationWorker.demandThatAll(
                "SELECT DISTINCT substr(sealed_address, 1, 4) FROM emails",
                keys.sealing,
                db
            )
            for container in try ContainerTable.all(db) {
                let sealing = try keys.container(container.number, db).sealing
                for sql in [
                    "SELECT DISTINCT substr(sealed_name, 1, 4) FROM identities WHERE container_id = $1",
                    "SELECT DISTINCT substr(sealed_fields, 1, 4) FROM records WHERE container_id = $1",
                ] as [StaticString] {
                    try KeyRotationWorker.demandThatAll(sql, sealing, in: container.number, db)
                }
            }
        }
        try service.store.write { db in
            guard try ServiceTable.value("rotation", db) != nil else { return }
            let keys = try service.keys(db)
            try AuditTable.reseal(keys, db)
            // What no account leads to: wordings under their old IDs, and codes for addresses that were removed.
            try db.execute(
                """
                DELETE FROM wordings WHERE NOT EXISTS (SELECT 1 FROM consents c
                WHERE c.container_id = wordings.container_id AND c.wording_id = wordings.wording_id)
                """
            )
            try db.execute(
                """
                DELETE FROM verification_codes WHERE NOT EXISTS (SELECT 1 FROM emails e
                WHERE e.account_id = verification_codes.account_id AND e.tag = verification_codes.tag)
                """
            )
            try service.keychain.end(keys, db)
        }
        _ = try service.store.truncateLog()
    }

    private static func demandThatAll(
        _ sql: StaticString,
        _ sealing: SealingKeys,
        in container: Int64? = nil,
        _ db: Connection
    ) throws {
        let ids = try container.map { try db.all(sql, .integer($0)) { $0.bytes(0) } } ?? db.all(sql) { $0.bytes(0) }
        guard ids.allSatisfy({ $0 == sealing.newestID }) else {
            throw KinfolkError(.internalError, "Something is still sealed under the old keys: they were kept.")
        }
    }
}
