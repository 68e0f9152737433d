public import KinfolkAccounts
package import KinfolkCore
package import KinfolkCrypto
public import KinfolkModel
import KinfolkPrivateClient
package import KinfolkStorage
import KinfolkThreads

/// The ways of finding people in a container, and the keys of its private directory.
extension Container {
    /// The ways in which people can be found now, without those whose directory is still being built.
    public func directoryModes() throws(KinfolkError) -> DirectoryModes {
        try service.read { db in
            let directories = try directories(db)
            var modes: DirectoryModes = []
            if directories.hasHashes { modes.insert(.hashed) }
            if !directories.answering.isEmpty { modes.insert(.private) }
            return modes
        }
    }

    /// Changes how people can be found. New directories are built first; directories that are no longer wanted are then emptied.
    ///
    /// This runs while the container is in use, in batches, on all cores. Call it again with the same modes to resume an
    /// interrupted change.
    ///
    /// - Parameters:
    ///   - modes: One mode, or both.
    ///   - progress: Called after each batch, on the calling thread. If it throws, the call ends, and can be resumed: see
    ///     ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if there is no mode, ``KinfolkError/Code/conflict`` if another process
    ///   meanwhile ended what this built: then nothing else is ended.
    public func setDirectoryModes(
        _ modes: DirectoryModes,
        progress: (DirectoryBuild.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) {
        guard !modes.isEmpty, modes.isSubset(of: [.hashed, .private]) else {
            throw KinfolkError(
                .invalidArgument,
                "People are found by contact hashes, by private discovery, or by both."
            )
        }
        do {
            try endDirectories()
            try service.write(isLarge: true) { db in
                let directories = try directories(db)
                if modes.contains(.hashed), !directories.keepsHashes {
                    try DirectoryEpochTable.insert(0, .building, in: number, db)
                    try KeyTable.renewStamp(db)
                }
                if modes.contains(.private), directories.privateOnes.isEmpty { try insertEpoch(.building, db) }
            }
            try buildDirectories(progress)
            try service.write(isLarge: true) { db in
                let directories = try directories(db)
                guard !modes.contains(.hashed) || directories.hasHashes,
                    !modes.contains(.private) || !directories.answering.isEmpty
                else { throw KinfolkError(.conflict, "Another call has changed the directory modes meanwhile.") }
                if !modes.contains(.hashed), directories.keepsHashes { try end(0, keepingReceipt: false, db) }
                if !modes.contains(.private) { try endPrivateDirectory(db) }
            }
            try endDirectories()
        } catch { throw KinfolkError(error) }
    }

    // MARK: Epochs

    /// The epochs of the private directory, newest first, including an announced one.
    public func privateEpochs() throws(KinfolkError) -> [PrivateEpoch] {
        try service.read { db in
            try requireInUse(db)
            let wanted = try ContainerTable.prefixBits(of: number, db)
            let states: [DirectoryEpochTable.State] = [.complete, .building, .announced]
            return try DirectoryEpochTable.all(of: number, db).filter { $0.epoch > 0 && states.contains($0.state) }.map
            {
                row in
                try PrivateEpoch(
                    number: row.epoch,
                    publicKey: DirectoryEpochTable.checked(publicKey: row.publicKey),
                    isComplete: row.state == .complete,
                    isAnnounced: row.state == .announced,
                    rowCount: DirectoryCountTable.total(of: row.epoch, in: number, db),
                    prefixBits: (wanted ?? row.prefixBits).count
                )
            }
        }
    }

    /// Creates the next key of the private directory and publishes its public key before any row is indexed under it, so that
    /// clients that accept only published keys can get it first. The next `renewPrivateKey(progress:)` or rotation of the store's
    /// keys uses it.
    ///
    /// Anyone who obtains the store's key and a copy of the store from now on also has this key. In that case, rotate the store's
    /// keys and say that the old one leaked: the announced key is then discarded.
    ///
    /// - Returns: The announced epoch; the same one until it is used.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no private directory.
    public func announceNextPrivateKey() throws(KinfolkError) -> PrivateEpoch {
        try service.write { db in
            let directories = try directories(db)
            guard !directories.privateOnes.isEmpty else { throw Container.noPrivateDirectory }
            if directories.announced == nil { try insertEpoch(.announced, db) }
        }
        guard let announced = try privateEpochs().first(where: \.isAnnounced) else {
            throw KinfolkError(.conflict, "Another call has used the announced key meanwhile.")
        }
        return announced
    }

    /// Starts to use a new key for the private directory, and indexes everybody under it while the old one still answers. Then
    /// clients move to it, each at its next discovery. Contacts that they have paid for are free under the new key; other
    /// contacts are not.
    ///
    /// When they have moved, end the old epochs with `endPrivateEpochs(before:)`. Call this again to resume an interrupted
    /// renewal.
    ///
    /// ```swift
    /// let announced = try container.announceNextPrivateKey()  // publish announced.publicKey, and wait for clients to get it
    /// let epoch = try container.renewPrivateKey()             // both keys answer now
    /// try container.endPrivateEpochs(before: epoch.number)    // later, when clients have moved
    /// ```
    ///
    /// - Parameter progress: Called after each batch, on the calling thread. If it throws, the call ends, and can be resumed: see
    ///   ``KinfolkError/cancelled``.
    /// - Returns: The new epoch.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no private directory,
    ///   ``KinfolkError/Code/limitExceeded`` if it has 100 epochs.
    public func renewPrivateKey(
        progress: (DirectoryBuild.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> PrivateEpoch {
        do {
            try service.write(isLarge: true) { db in
                let epochs = try directories(db).privateOnes
                guard let newest = epochs.first else { throw Container.noPrivateDirectory }
                guard epochs.count < Container.mostEpochs else {
                    throw KinfolkError(.limitExceeded, "The private directory has 100 epochs: end the old ones.")
                }
                // If the newest epoch is being built, an earlier call began it.
                if newest.isComplete { _ = try beginNextEpoch(service.keys(db), db) }
            }
            try buildDirectories(progress)
        } catch { throw KinfolkError(error) }
        guard let newest = try privateEpochs().first(where: { !$0.isAnnounced }) else {
            throw KinfolkError(.unknownItem, "The private directory was ended meanwhile.")
        }
        return newest
    }

    /// Ends the epochs before a complete one: they no longer answer. Their keys are kept only to verify which contacts were
    /// paid for in them, until the store's keys are rotated because they leaked.
    ///
    /// - Parameter number: The oldest epoch that remains.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such epoch, or it is not complete.
    public func endPrivateEpochs(before number: UInt32) throws(KinfolkError) {
        do {
            try service.write(isLarge: true) { db in
                let answering = try directories(db).answering
                guard answering.contains(where: { $0.epoch == number }) else {
                    throw KinfolkError(.unknownItem, "The private directory has no complete epoch with this number.")
                }
                for one in answering where one.epoch < number { try end(one.epoch, keepingReceipt: true, db) }
            }
            try endDirectories()
        } catch { throw KinfolkError(error) }
    }

    /// Sets how many bits of each contact's bucket position a client reveals; nil to choose by the number of rows: no bits while
    /// all rows fit 1 MiB, and otherwise the number at which a bucket has 16 to 32 rows.
    ///
    /// With fewer bits the server learns less, and sends more.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for more than 32.
    public func setPrefixBits(_ bits: Int?) throws(KinfolkError) {
        let wanted = bits.flatMap { PrefixBits($0) }
        guard bits == nil || wanted != nil else {
            throw KinfolkError(.invalidArgument, "A prefix has 0 to \(PrefixBits.maximum) bits.")
        }
        try service.write { db in
            try requireInUse(db)
            try ContainerTable.setPrefixBits(wanted, of: number, db)
        }
    }

    /// The key of an epoch that answers. The operator has it and could misuse it; experiments do that.
    package func privateKey(ofEpoch epoch: UInt32) throws(KinfolkError) -> OPRFKey {
        try service.read { db in
            let answering = try directories(db).answering
            guard let directory = answering.first(where: { $0.epoch == epoch }) else {
                throw KinfolkError(.unknownItem, "The private directory has no complete epoch with this number.")
            }
            return directory.key
        }
    }

    /// The row keys of an epoch of the private directory. Experiments create rows with them.
    package func privateRowKeys(ofEpoch epoch: UInt32) throws(KinfolkError) -> PrivateRowKeys {
        try service.read { db in
            let answering = try directories(db).answering
            guard let directory = answering.first(where: { $0.epoch == epoch }) else {
                throw KinfolkError(.unknownItem, "The private directory has no complete epoch with this number.")
            }
            return directory.rowKeys
        }
    }

    private func directories(_ db: Connection) throws -> ContainerDirectories {
        try requireInUse(db)
        return try service.directories(ofContainer: number, in: db)
    }

    static var noPrivateDirectory: KinfolkError {
        KinfolkError(.unknownItem, "The container has no private directory.")
    }

    /// The maximum number of epochs that answer, and also of ended epochs whose keys are kept: a description contains all of
    /// them.
    private static let mostEpochs = 100

    /// Begins an epoch: the announced one, or a new one.
    @discardableResult
    private func beginNextEpoch(_ keys: KeyRing, _ db: Connection) throws -> UInt32 {
        let announced = try DirectoryEpochTable.all(of: number, db).first { $0.state == .announced }
        guard let announced else { return try insertEpoch(.building, db) }
        try DirectoryEpochTable.set(.building, [], of: announced.epoch, in: number, db)
        try DirectoryEpochTable.setKeyEpoch(keys.newest.epoch, of: announced.epoch, in: number, db)
        try KeyTable.renewStamp(db)
        return announced.epoch
    }

    @discardableResult
    private func insertEpoch(_ state: DirectoryEpochTable.State = .building, _ db: Connection) throws -> UInt32 {
        let keys = try service.keys(db)
        try BucketKey.makeIfMissing(keys, db)
        let epoch = try ContainerTable.takePrivateEpoch(of: number, db)
        var seed = SecureRandom.bytes(SecretKey.length)
        defer { seed.withUnsafeMutableBytes(wipe) }
        let key = try PrivateDirectory.key(
            seed: seed.withUnsafeBytes(SecretKey.init(copying:)),
            container: name
        )
        let sealing = try keys.container(number, db).sealing
        try DirectoryEpochTable.insert(
            epoch,
            state,
            sealedSeed: sealing.seal(seed, at: PrivateDirectory.place(ofSeedOf: epoch, in: number)),
            publicKey: key.publicKey.bytes,
            keyEpoch: keys.newest.epoch,
            in: number,
            db
        )
        let due = PrivateCover.next(after: service.steadyClock(), rows: 0)
        try ContainerTable.setCoverDue(due, of: number, onlyIfMissing: true, db)
        try KeyTable.renewStamp(db)
        return epoch
    }

    /// Stops reading from and writing to a directory. Its key is deleted, or kept as a receipt.
    private func end(_ epoch: UInt32, keepingReceipt: Bool, _ db: Connection) throws {
        try DirectoryEpochTable.set(.ending, [], of: epoch, in: number, db)
        if !keepingReceipt { try DirectoryEpochTable.setSealedSeed([], of: epoch, in: number, db) }
        try KeyTable.renewStamp(db)
    }

    /// Ends the whole private directory, including the keys of its ended epochs: nobody can be found by it.
    private func endPrivateDirectory(_ db: Connection) throws {
        for row in try DirectoryEpochTable.all(of: number, db) where row.epoch > 0 {
            try end(row.epoch, keepingReceipt: false, db)
        }
    }

    // MARK: During a rotation of the store's keys

    /// Begins the epoch that belongs to the newest keys of the store, unless it has already begun. Nil if the container has no
    /// private directory, or the rotation is over.
    package func beginEpochOfRotation(_ keys: KeyRing, _ db: Connection) throws -> UInt32? {
        let rows = try DirectoryEpochTable.all(of: number, db).filter { $0.epoch > 0 }
        let live = rows.filter { $0.state == .complete || $0.state == .building }
        if let own = live.first(where: { $0.keyEpoch == keys.newest.epoch }) { return own.epoch }
        guard !live.isEmpty, try ServiceTable.value("rotation", db) != nil else { return nil }
        // An epoch that was begun under the old keys does not answer yet and is not needed.
        for row in live where row.state == .building { try end(row.epoch, keepingReceipt: false, db) }
        if keys.isLeaked {
            for row in rows where row.state == .announced { try end(row.epoch, keepingReceipt: false, db) }
        }
        return try beginNextEpoch(keys, db)
    }

    /// Ends the epochs whose seeds belong to older keys of the store, and deletes these seeds.
    package func endEpochs(ofKeysBefore keyEpoch: Int64) throws {
        try service.write(isLarge: true) { db in
            for row in try DirectoryEpochTable.all(of: number, db) where row.epoch > 0 && row.keyEpoch < keyEpoch {
                try end(row.epoch, keepingReceipt: false, db)
            }
        }
        try endDirectories()
    }

    // MARK: In batches

    package func buildDirectories(_ progress: (DirectoryBuild.Progress) throws(KinfolkError) -> Void) throws {
        let building = try service.read { db in
            try DirectoryEpochTable.all(of: number, db).filter { $0.state == .building }.map(\.epoch)
        }
        for epoch in building {
            let builder = DirectoryBuilder(container: self, epoch: epoch)
            var total = try builder.count()
            var done = 0
            while let batch = try builder.buildBatch() {
                done += batch
                total = max(total, done)
                try progress(DirectoryBuild.Progress(people: done, total: total))
                // Gives waiting writers their turn.
                Thread.sleep(seconds: 0.002)
            }
        }
    }

    /// Begins a private directory, or a new epoch of it.
    package func beginPrivateEpoch() throws -> UInt32 {
        try service.write(isLarge: true) { db in
            try insertEpoch(.building, db)
        }
    }

    /// Adds the next people to an epoch that is being built, and returns how many were processed; nil when it is complete.
    package func buildBatch(of epoch: UInt32, size: Int) throws -> Int? {
        try DirectoryBuilder(container: self, epoch: epoch, batchSize: size).buildBatch()
    }

    /// Deletes the rows of directories that are ending.
    private func endDirectories() throws {
        while try endBatch() { Thread.sleep(seconds: 0.002) }
    }

    private func endBatch() throws -> Bool {
        try service.store.write(isLarge: true) { db in
            let ending = try DirectoryEpochTable.all(of: number, db).first { $0.state == .ending }
            guard let ending else { return false }
            let count =
                ending.epoch == 0
                ? try DirectoryTagTable.delete(atMost: Container.endingBatch, in: number, db)
                : try PrivateDirectoryTable.delete(atMost: Container.endingBatch, of: ending.epoch, in: number, db)
            if count == 0 { try finishEnding(ending, db) }
            return true
        }
    }

    private func finishEnding(_ row: DirectoryEpochTable.Row, _ db: Connection) throws {
        guard row.isReceipt else { return try DirectoryEpochTable.delete(row.epoch, of: number, db) }
        try DirectoryCountTable.delete(row.epoch, of: number, db)
        try DirectoryEpochTable.set(.ended, [], of: row.epoch, in: number, db)
        let ended = try DirectoryEpochTable.all(of: number, db).filter { $0.state == .ended }
        for old in ended.dropFirst(Container.mostEpochs) { try DirectoryEpochTable.delete(old.epoch, of: number, db) }
        try KeyTable.renewStamp(db)
    }

    private static let endingBatch = 10_000
}
