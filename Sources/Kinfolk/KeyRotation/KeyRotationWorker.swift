import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Re-seals and re-indexes, under the newest keys, what the store holds of each account, in the order of the account IDs.
///
/// The position is stored in the database, so that any process can continue. Data written meanwhile is already under the newest
/// keys; re-sealing it does no harm.
struct KeyRotationWorker {
    /// The most accounts, or bytes of records, in a transaction, which then takes some hundredths of a second.
    private static let batchSize = 100
    private static let batchBytes = 4 << 20

    let service: Service
    /// The epoch of this rotation: after it has ended, another rotation may be in progress. Nil for any rotation.
    var epoch: Int64?

    func count() throws -> Int {
        try service.store.read { db in try db.first("SELECT count(*) FROM accounts") { Int($0.integer(0)) } ?? 0 }
    }

    /// Processes the next accounts. Nil when there are no more, or another process has ended the rotation.
    func rotateBatch() throws -> Int? {
        try service.store.write(isLarge: true) { db in
            guard let position = try ServiceTable.value("rotation", db) else { return nil }
            let last = position.withUnsafeBytes(RandomID.init(bytes:)).map(AccountID.init)
            let ids = try AccountTable.ids(after: last, limit: KeyRotationWorker.batchSize, db)
            let keys = try service.keys(db)
            guard !ids.isEmpty, isOurs(keys) else { return nil }
            var (done, bytes) = (0, 0)
            while done < ids.count, bytes < KeyRotationWorker.batchBytes {
                bytes += try rotate(ids[done], keys, db)
                done += 1
            }
            try ServiceTable.set("rotation", ids[done - 1].value.bytes, db)
            return done
        }
    }

    private func isOurs(_ keys: KeyRing) -> Bool { epoch == nil || epoch == keys.newest.epoch }

    /// - Returns: The number of bytes in the account's records.
    private func rotate(_ id: AccountID, _ keys: KeyRing, _ db: Connection) throws -> Int {
        guard let account = try AccountTable.row(id, db) else { return 0 }
        let users = try UserTable.all(of: id, db)
        try service.changing(id, db) {
            for user in users {
                try UserTable.renew(user, keys, db)
                try ConsentTable.reseal(of: id, in: user.container, keys.container(user.container, db), db)
            }
            try AccountTable.setName(id, account.name(with: keys), keys, db)
            for row in try EmailTable.all(of: id, db) {
                let address = try row.open(with: keys)
                let tag = keys.newest.emailTags.tag(address.hash)
                try EmailTable.move(row, to: tag, address, keys, db)
                if tag != row.tag { try VerificationTable.move(row.tag, to: tag, of: id, db) }
            }
            try Claims.reseal(of: id, keys, db)
        }
        try LimitTable.renewCodes(of: id, keys, db)
        var bytes = 0
        for user in users {
            let keys = try keys.container(user.container, db)
            for database in Database.allCases {
                bytes += try RecordTable.reseal(user.record, database, in: user.container, keys, db)
            }
        }
        return bytes
    }

    private func resealReasons() throws {
        var last: Int64? = 0
        while let number = last {
            last = try service.store.write { db in
                try AuditTable.reseal(after: number, limit: 1_000, service.keys(db), db)
            }
        }
    }

    private func resealAddressHistory() throws {
        var last: [UInt8]? = []
        while let tag = last {
            last = try service.store.write { db in
                try AddressHistory.reseal(after: tag, limit: 1_000, service.keys(db), db)
            }
        }
    }

    private func renewContainerLimits() throws {
        try service.store.write { db in
            let keys = try service.keys(db)
            for container in try ContainerTable.all(db).map(\.number) {
                let limits = try ContainerLimitsTable.limits(of: container, keys, db)
                try ContainerLimitsTable.set(limits, of: container, keys, db)
            }
        }
    }

    /// Re-seals the seeds of private directories, and the bucket key.
    private func resealSeeds() throws {
        try service.store.write { db in
            try BucketKey.reseal(service.keys(db), db)
            for container in try ContainerTable.all(db).map(\.number) {
                let sealing = try service.keys(ofContainer: container, in: db).sealing
                for row in try DirectoriesTable.all(of: container, db) where !row.sealedSeed.isEmpty {
                    let place = PrivateDirectory.place(ofSeedOf: row.epoch, in: container)
                    var seed = try sealing.open(row.sealedSeed, at: place)
                    defer { seed.withUnsafeMutableBytes(wipe) }
                    try DirectoriesTable.setSealedSeed(sealing.seal(seed, at: place), of: row.epoch, in: container, db)
                }
            }
        }
    }

    /// Ends the old keys after nothing is sealed under them any more.
    func finish() throws {
        try resealReasons()
        try resealAddressHistory()
        try resealSeeds()
        try renewContainerLimits()
        // Checked while others keep writing, because whatever they write is under the newest keys.
        let epoch: Int64? = try service.store.read { db in
            guard try ServiceTable.value("rotation", db) != nil else { return nil }
            let keys = try service.keys(db)
            guard isOurs(keys) else { return nil }
            for sealed in [
                Sealed("accounts", "SELECT DISTINCT substr(sealed_name, 1, 4) FROM accounts"),
                Sealed("emails", "SELECT DISTINCT substr(sealed_address, 1, 4) FROM emails"),
                Sealed("email_claims", "SELECT DISTINCT substr(sealed_address, 1, 4) FROM email_claims"),
                Sealed(
                    "audit",
                    "SELECT DISTINCT substr(sealed_reason, 1, 4) FROM audit WHERE sealed_reason IS NOT NULL"
                ),
                Sealed("address_history", "SELECT DISTINCT substr(sealed_value, 1, 4) FROM address_history"),
                Sealed("address_history_keys", "SELECT DISTINCT substr(sealed_key, 1, 4) FROM address_history_keys"),
                Sealed("service", "SELECT substr(value, 1, 4) FROM service WHERE name = 'bucket_seed'"),
            ] { try sealed.demandThatAll(keys.sealing, db) }
            for container in try ContainerTable.all(db) {
                let sealing = try keys.container(container.number, db).sealing
                for sealed in [
                    Sealed(
                        "identities",
                        "SELECT DISTINCT substr(sealed_identity, 1, 4) FROM identities WHERE container_id = $1"
                    ),
                    Sealed(
                        "records",
                        "SELECT DISTINCT substr(sealed_fields, 1, 4) FROM records WHERE container_id = $1"
                    ),
                    Sealed(
                        "directories",
                        """
                        SELECT DISTINCT substr(sealed_seed, 1, 4) FROM directories
                        WHERE container_id = $1 AND length(sealed_seed) > 0
                        """
                    ),
                ] { try sealed.demandThatAll(sealing, in: container.number, db) }
            }
            return keys.newest.epoch
        }
        guard let epoch else { return }
        try service.store.write(isLarge: true) { db in
            guard try ServiceTable.value("rotation", db) != nil else { return }
            let keys = try service.keys(db)
            // Another process may have ended this rotation meanwhile and begun another one, for which nothing was checked.
            guard keys.newest.epoch == epoch else { return }
            // Data that belongs to no account: wordings under their old IDs, and codes for addresses that were removed.
            try db.execute(
                """
                DELETE FROM wordings WHERE NOT EXISTS (SELECT 1 FROM consents c
                WHERE c.container_id = wordings.container_id AND c.wording_id = wordings.wording_id)
                """
            )
            try VerificationTable.forgetRemovedAddresses(db)
            try ClaimWait.renew(keys, db)
            // Values that must be authenticated by the newest key.
            try StoreCounter(keys, db).note(keys, db)
            try SteadyClock.renewCode(keys, db)
            try ContainerTable.renewCodes(keys, db)
            try service.keychain.end(keys, db)
        }
        // The rotation has ended, even if the log cannot be emptied now.
        _ = try? service.store.truncateLog()
    }

    /// A column of sealed values. Each value begins with the ID of its key.
    private struct Sealed {
        let table: String
        let sql: StaticString

        init(_ table: String, _ sql: StaticString) {
            self.table = table
            self.sql = sql
        }

        /// Everything that belongs to an account has been re-sealed. A row that was not belongs to no account, and Kinfolk never
        /// writes such rows.
        func demandThatAll(_ sealing: SealingKeys, in container: Int64? = nil, _ db: Connection) throws {
            let ids = try container.map { try db.all(sql, .integer($0)) { $0.bytes(0) } } ?? db.all(sql) { $0.bytes(0) }
            guard ids.allSatisfy({ $0 == sealing.newestID }) else {
                throw KinfolkError(
                    .storeCorrupt,
                    "A row of the table \(table) belongs to nobody, and is sealed under the old keys: they were kept."
                )
            }
        }
    }
}
