import KinfolkAccess
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads

/// Re-seals and re-indexes, under the newest keys, what the store holds of each account, in the order of the account IDs.
///
/// The position is stored in the database, so that any process can continue. Data written meanwhile is already under the newest
/// keys; re-sealing it does no harm.
struct KeyRotationWorker {
    /// The most rows in a transaction, and the accounts in the first one.
    static let batchSize = 100

    let service: Service
    /// The epoch of this rotation: after it has ended, another rotation may be in progress. Nil for any rotation.
    var epoch: Int64?

    func count() throws -> Int {
        try service.store.read(AccountTable.count)
    }

    /// Processes all accounts that are left.
    ///
    /// - Parameter progress: Called after each batch with the number of accounts done.
    /// - Returns: The number of accounts done.
    func rotateAll(_ progress: (Int) throws -> Void) throws -> Int {
        var (size, done) = (BatchSize(), 0)
        while true {
            let start = Deadline.now
            guard let batch = try rotateBatch(limit: size.accounts) else { return done }
            size.adjust(after: Double(Deadline.now - start) / 1e9)
            done += batch
            try progress(done)
            // Gives waiting writers their turn. They ask for it again after two milliseconds at the latest.
            Thread.sleep(seconds: 0.003)
        }
    }

    /// Processes the next accounts, at most `limit`. Nil when there are no more, or another process has ended the rotation.
    func rotateBatch(limit: Int = batchSize) throws -> Int? {
        try service.store.write(isLarge: true) { db in
            guard let position = try ServiceTable.value("rotation", db) else { return nil }
            let last = position.withUnsafeBytes(RandomID.init(bytes:)).map(AccountID.init)
            let ids = try AccountTable.ids(after: last, limit: limit, db)
            let keys = try service.keys(db)
            guard !ids.isEmpty, isOurs(keys) else { return nil }
            var rotation = try AccountRotation(service, db)
            try rotation.rotate(ids)
            try ServiceTable.set("rotation", ids[ids.count - 1].value.bytes, db)
            return ids.count
        }
    }

    private func isOurs(_ keys: KeyRing) -> Bool { epoch == nil || epoch == keys.newest.epoch }

    /// Seals again the values of all tables that are rotated row by row instead of account by account.
    private func resealRows() throws {
        for (table, description) in try Tables.described() {
            guard case .byRow = table.rotation else { continue }
            for column in table.sealedColumns(description) {
                var last: [Value]?
                repeat {
                    last = try service.store.write(isLarge: true) { db in
                        try column.reseal(above: last, limit: KeyRotationWorker.batchSize, service.keys(db), db)
                    }
                } while last != nil
            }
        }
    }

    /// Ends the web sessions that are sealed under a leaked key, before they would be sealed again.
    private func endWebSessionsIfLeaked() throws {
        try service.store.write(isLarge: true) { db in
            let keys = try service.keys(db)
            if keys.isLeaked { try WebSessionTable.deleteUnlessNewest(keys, db) }
        }
    }

    private func resealIdentities() throws {
        var last: [UInt8]? = []
        while let tag = last {
            last = try service.store.write(isLarge: true) { db in
                try LinkedIdentityTable.renew(after: tag, limit: 200, service.keys(db), db)
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

    private func resealRecords() throws {
        for container in try service.store.read(ContainerTable.all).map(\.number) {
            var rotation = RecordRotation(service, container: container)
            while !rotation.isOver {
                rotation = try service.store.write(isLarge: true) { db in
                    // On a server, this may run again.
                    var next = rotation
                    // A container that was deleted meanwhile has no keys.
                    guard try ContainerTable.exists(container, db) else { return .over(service, container: container) }
                    try next.renewBatch(db)
                    return next
                }
            }
        }
        // Rows of deleted zones cannot be opened. Those of zones that are deleted from here on are sealed under the newest keys.
        try Sweeper.sweep(service.store)
    }

    private func resealSubscriptions() throws {
        for container in try service.store.read(ContainerTable.all).map(\.number) {
            var rotation = SubscriptionRotation(service, container: container)
            while !rotation.isOver {
                rotation = try service.store.write(isLarge: true) { db in
                    var next = rotation
                    if try ContainerTable.exists(container, db) { try next.renewBatch(db) } else { next.end() }
                    return next
                }
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

    /// Writes the codes of record types again. The schema is verified before.
    private func renewRecordTypes() throws {
        for container in try service.store.read(ContainerTable.all).map(\.number) {
            try service.store.write { db in
                guard try ContainerTable.exists(container, db) else { return }
                let keys = try service.keys(db)
                for type in try service.schemas.schema(of: container, service, db).types.values {
                    try SchemaTable.authenticate(type, in: container, keys, db)
                }
            }
        }
    }

    /// Ends the old keys when no value is sealed under them.
    func finish() throws {
        try endWebSessionsIfLeaked()
        try resealRows()
        try resealIdentities()
        try resealRecords()
        try resealSubscriptions()
        try resealAddressHistory()
        try renewContainerLimits()
        try renewRecordTypes()
        try service.store.write { db in
            try BucketKey.reseal(service.keys(db), db)
            try ConsentTable.deleteUnused(db)
        }
        // Checked while others keep writing, because whatever they write is under the newest keys.
        let epoch: Int64? = try service.store.read { db in
            guard try ServiceTable.value("rotation", db) != nil else { return nil }
            let keys = try service.keys(db)
            guard isOurs(keys) else { return nil }
            guard try BucketKey.isNewest(keys, db) else { throw BucketKey.missing }
            let containers = try ContainerTable.all(db).map(\.number)
            for (table, description) in try Tables.described() {
                for column in table.sealedColumns(description) {
                    try column.requireNewest(keys, containers: containers, db)
                }
            }
            return keys.newest.epoch
        }
        guard let epoch else { return }
        try service.store.write(isLarge: true) { db in
            guard try ServiceTable.value("rotation", db) != nil else { return }
            let keys = try service.keys(db)
            // Another process may have ended this rotation meanwhile and begun another one, for which nothing was checked.
            guard keys.newest.epoch == epoch else { return }
            // Codes for addresses that were removed belong to no address.
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
}
