import KinfolkAccounts
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions

extension Account {
    /// Erases the account and everything stored about it, in one transaction.
    ///
    /// References to the person in other people's records remain, and then refer to nothing. What was spent of limits with the
    /// account's verified addresses is remembered for at most 30 days, so that a person who returns with the same address does
    /// not have the full limits again. It is sealed and stored under tags that can be computed from an address but do not reveal
    /// it. In containers with a quota of a creator, public records that stay are remembered in the same way, and count for the quota
    /// of an account that has one of the addresses. For 24 hours, the numbers of mails sent to the addresses are remembered in the same way, and for 30 days the fact that
    /// a claim on one of them was refused.
    ///
    /// ```swift
    /// let receipt = try account.erase()
    /// if receipt.isPending { print("the store may still contain erased data, until one of the next writes") }
    /// ```
    ///
    /// - Parameter keepsPublicRecords: Whether the records that the person created in public databases stay, without a creator. User
    ///   records are always removed.
    /// - Returns: What was removed.
    public func erase(keepsPublicRecords: Bool = false) throws(KinfolkError) -> Erasure {
        let (emails, containers, records, remainder, mailsCountUntil) = try service.write { db in
            // The rest of an account whose account row was deleted without the key can be erased too.
            let isThere = try AccountTable.row(id, db) != nil || !EmailTable.all(of: id, db).isEmpty
            guard try isThere || !UserTable.all(of: id, db).isEmpty else { throw Account.unknown }
            try unblock(db)
            // Suspended first, so that the directory deletes its rows while they can still be derived.
            try changing(db, allowsDamage: true) { rows in try rows.setSuspended(true, db) }
            let emails = try count("SELECT count(*) FROM emails WHERE account_id = $1", db)
            let containers = try count("SELECT count(*) FROM users WHERE account_id = $1", db)
            let hashes = try EmailTable.verifiedHashes(of: id, allowsDamage: true, service.keys(db), db)
            try unlessDamaged { try LimitDebts(service, db).note(of: id, for: hashes, db) }
            let mailsCountUntil = try lastMailCount(db)
            let records = try deleteRecords(keepsPublicRecords, of: hashes, db)
            let remainder = try unlessDamaged { try LimitDebts(service, db).remainder(of: hashes, db) }
            try delete(db)
            return (emails, containers, records, remainder, mailsCountUntil)
        }
        service.watcher.stir()
        try? service.sweeper.startIfNeeded(service)
        let isPending: Bool
        do { isPending = try !service.store.truncateLog() || !service.store.read(RemovedAssetTable.isEmpty) } catch {
            isPending = true
        }
        return Erasure(
            emails: emails,
            containers: containers,
            records: records,
            mailsCountUntil: mailsCountUntil,
            isPending: isPending,
            rememberedEmails: remainder?.addresses ?? 0,
            rememberedUntil: remainder?.until
        )
    }

    /// The result of `body`; nil if rows were edited without the key. The person must still be able to leave.
    private func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch is CryptoError { return nil } catch let error as KinfolkError
            where error.code == .storeCorrupt
        { return nil }
    }

    /// When the last of the mails that this account requested stops counting; nil if none counts. Mails that others requested for
    /// the same address are not included.
    private func lastMailCount(_ db: Connection) throws -> Timestamp? {
        let now = service.steadyClock()
        return try VerificationTable.all(of: id, db).map { min($0.issuedAt, now).adding(seconds: MailBudget.day) }
            .filter { $0 > now }.max()
    }

    /// Removes the blocks that others made of the person. These blocks are part of the blocking accounts' authenticated rows, so
    /// those accounts get a new revision.
    private func unblock(_ db: Connection) throws {
        let keys = try service.keys(db)
        for user in try UserTable.all(of: id, db) where user.isAuthentic(with: keys) {
            for blocker in try BlockTable.blockers(of: user.record, in: user.container, db) {
                let account = try UserTable.row(of: blocker, in: user.container, service, db)?.account
                guard let account, account != id else {
                    try BlockTable.deleteAll(of: user.record, by: blocker, in: user.container, db)
                    continue
                }
                try service.changing(account, allowsDamage: true, db) { rows in
                    try rows.deleteBlocks(of: user.record, by: blocker, in: user.container, db)
                }
            }
        }
    }

    /// Deletes the public records of the person. Returns how many records the person had in all databases.
    ///
    /// - Parameter hashes: The contact hashes of the verified addresses, for which the bytes count that stay.
    private func deleteRecords(_ keepsPublicRecords: Bool, of hashes: [[UInt8]], _ db: Connection) throws -> Int {
        var count = 0
        try unlessDamaged { try CreatorDebts(service, db).forget(id) }
        for user in try UserTable.all(of: id, db) where try ContainerTable.exists(user.container, db) {
            let erasedCreator =
                try unlessDamaged {
                    try CreatorDebts(service, db).takeErasedCreator(of: user.record, for: hashes, in: user.container)
                } ?? nil
            let erasure = try RecordErasure(
                of: user.record,
                in: user.container,
                countedFor: erasedCreator?.id,
                service,
                db
            )
            count += try erasure.count(keepsPublicRecords: keepsPublicRecords, db)
            try erasure.run(keepsRecords: keepsPublicRecords, db)
            if let erasedCreator {
                try unlessDamaged {
                    try CreatorDebts(service, db).note(erasedCreator, for: hashes, in: user.container)
                }
            }
            let keys = try service.keys(ofContainer: user.container, in: db)
            try NotificationTable.forget(user.record, in: user.container, keys, db)
            try AssetTable.removeChunks(ofOwner: user.record, in: user.container, db)
        }
        return count
    }

    private func count(_ sql: StaticString, _ db: Connection) throws -> Int {
        try db.first(sql, .id(id.value)) { Int($0.integer(0)) } ?? 0
    }

    /// Removes the rows of all tables that belong to the account. A row is deleted before its owner, because the owner
    /// identifies the person.
    private func delete(_ db: Connection) throws {
        // A wording goes with the last decision that refers to it.
        try ConsentTable.delete(of: id, db)
        let users = try UserTable.all(of: id, db)
        for table in Tables.all.reversed() {
            // The engine finds the rows of each user by their key, but those of all users of the account only by reading the container.
            if case (let condition, .record)? = table.conditionOfUser {
                try db.execute(composed: table.removal(where: condition), for: users) { user in
                    [.integer(user.container), .id(user.record.value)]
                }
                continue
            }
            for condition in table.conditions(ofAccount: Tables.all) {
                try db.execute(composed: table.removal(where: condition), [.id(id.value)])
            }
        }
    }
}
