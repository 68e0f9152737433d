package import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// How people are found in a container, and the keys of its private directory.
extension Container {
    /// How people can be found now. A mode whose directory is still being built is not one.
    public func directoryModes() throws(KinfolkError) -> DirectoryModes {
        try service.read { db in
            let directories = try service.directories(ofContainer: number, in: db)
            var modes: DirectoryModes = []
            if directories.hasHashes { modes.insert(.hashed) }
            if !directories.answering.isEmpty { modes.insert(.private) }
            return modes
        }
    }

    /// Changes how people can be found. Directories that are new are built first, and those that go are emptied after that.
    ///
    /// This goes on while the container is in use, in batches, on all cores. What was interrupted is gone on with by calling
    /// this again with the same modes.
    ///
    /// - Parameters:
    ///   - modes: Either, or both.
    ///   - progress: Told after each batch, on the calling thread.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if there is none, ``KinfolkError/Code/conflict`` if somebody else ended
    ///   meanwhile what this built: then nothing else is ended.
    public func setDirectoryModes(
        _ modes: DirectoryModes,
        progress: (DirectoryBuild.Progress) -> Void = { _ in }
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
                let directories = try service.directories(ofContainer: number, in: db)
                if modes.contains(.hashed), !directories.keepsHashes {
                    try DirectoriesTable.insert(0, .building, in: number, db)
                    try KeyTable.renewStamp(db)
                }
                if modes.contains(.private), directories.privateOnes.isEmpty { try insertEpoch(db) }
            }
            try buildDirectories(progress)
            try service.write(isLarge: true) { db in
                let directories = try service.directories(ofContainer: number, in: db)
                guard !modes.contains(.hashed) || directories.hasHashes,
                    !modes.contains(.private) || !directories.answering.isEmpty
                else { throw KinfolkError(.conflict, "Somebody else changed meanwhile how people can be found.") }
                if !modes.contains(.hashed), directories.keepsHashes { try end(0, db) }
                if !modes.contains(.private) { for one in directories.privateOnes { try end(one.epoch, db) } }
            }
            try endDirectories()
        } catch { throw KinfolkError(error) }
    }

    // MARK: Epochs

    /// The epochs of the private directory, newest first.
    public func privateEpochs() throws(KinfolkError) -> [PrivateEpoch] {
        try service.read { db in
            let wanted = try ContainerTable.prefixBits(of: number, db)
            return try DirectoriesTable.all(of: number, db).filter { $0.epoch > 0 && $0.state != .ending }.map { row in
                try PrivateEpoch(
                    number: row.epoch,
                    publicKey: row.publicKey,
                    isComplete: row.state == .complete,
                    rowCount: DirectoryCountTable.total(of: row.epoch, in: number, db),
                    prefixBits: (wanted ?? row.prefixBits).count
                )
            }
        }
    }

    /// Makes a new key for the private directory and indexes everybody under it, while the old one still answers: then clients
    /// move to it, each at its next discovery. What they had paid for is free under the new key.
    ///
    /// When they have moved, end the old epochs by `endPrivateEpochs(before:)`. What was interrupted is gone on
    /// with by calling this again.
    ///
    /// - Parameter progress: Told after each batch, on the calling thread.
    /// - Returns: The new epoch.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no private directory,
    ///   ``KinfolkError/Code/limitExceeded`` if it has 200 epochs.
    public func renewPrivateKey(
        progress: (DirectoryBuild.Progress) -> Void = { _ in }
    ) throws(KinfolkError) -> PrivateEpoch {
        do {
            try service.write(isLarge: true) { db in
                let epochs = try service.directories(ofContainer: number, in: db).privateOnes
                guard let newest = epochs.first else {
                    throw KinfolkError(.unknownItem, "The container has no private directory.")
                }
                guard epochs.count < 200 else {
                    throw KinfolkError(.limitExceeded, "The private directory has 200 epochs: end the old ones.")
                }
                // If the newest is being built, it is the one that an earlier call began.
                if newest.isComplete { try insertEpoch(db) }
            }
            try buildDirectories(progress)
        } catch { throw KinfolkError(error) }
        guard let newest = try privateEpochs().first else {
            throw KinfolkError(.unknownItem, "The private directory was ended meanwhile.")
        }
        return newest
    }

    /// Ends the epochs before one that is complete: their keys answer no more, and are gone.
    ///
    /// - Parameter number: The oldest epoch that stays.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if it is none, or not complete.
    public func endPrivateEpochs(before number: UInt32) throws(KinfolkError) {
        do {
            try service.write(isLarge: true) { db in
                let answering = try service.directories(ofContainer: self.number, in: db).answering
                guard answering.contains(where: { $0.epoch == number }) else {
                    throw KinfolkError(.unknownItem, "The private directory has no such epoch that is complete.")
                }
                for one in answering where one.epoch < number { try end(one.epoch, db) }
            }
            try endDirectories()
        } catch { throw KinfolkError(error) }
    }

    /// Sets how many bits of each contact's tag a client tells; nil for what suits the number of rows: none while all rows
    /// fit 1 MiB, and then so many that a bucket has 16 to 32 rows.
    ///
    /// With fewer bits the server learns less, and sends more.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for more than 32.
    public func setPrefixBits(_ bits: Int?) throws(KinfolkError) {
        let wanted = bits.flatMap { PrefixBits($0) }
        guard bits == nil || wanted != nil else {
            throw KinfolkError(.invalidArgument, "A prefix has 0 to \(PrefixBits.maximum) bits.")
        }
        try service.write { db in try ContainerTable.setPrefixBits(wanted, of: number, db) }
    }

    /// The key of an epoch that is answered, which the operator has and may misuse: so experiments do.
    package func privateKey(ofEpoch epoch: UInt32) throws(KinfolkError) -> OPRFKey {
        try service.read { db in
            let answering = try service.directories(ofContainer: number, in: db).answering
            guard let directory = answering.first(where: { $0.epoch == epoch }) else {
                throw KinfolkError(.unknownItem, "The private directory has no such epoch that is complete.")
            }
            return directory.key
        }
    }

    private func insertEpoch(_ db: Connection) throws {
        let epoch = try ContainerTable.takePrivateEpoch(of: number, db)
        var seed = SecureRandom.bytes(SecretKey.length)
        defer { seed.withUnsafeMutableBytes(wipe) }
        let directory = try PrivateDirectory(
            epoch: epoch,
            isComplete: false,
            container: name,
            seed: seed.withUnsafeBytes(SecretKey.init(copying:))
        )
        let sealing = try service.keys(ofContainer: number, in: db).sealing
        try DirectoriesTable.insert(
            epoch,
            .building,
            sealedSeed: sealing.seal(seed, at: PrivateDirectory.place(ofSeedOf: epoch, in: number)),
            publicKey: directory.key.publicKey.bytes,
            in: number,
            db
        )
        try KeyTable.renewStamp(db)
    }

    /// From here on nothing is answered from a directory, nor written to it, and its key is gone.
    private func end(_ epoch: UInt32, _ db: Connection) throws {
        try DirectoriesTable.set(.ending, [], of: epoch, in: number, db)
        try DirectoriesTable.setSealedSeed([], of: epoch, in: number, db)
        try KeyTable.renewStamp(db)
    }

    // MARK: In batches

    private func buildDirectories(_ progress: (DirectoryBuild.Progress) -> Void) throws {
        let building = try service.read { db in
            try DirectoriesTable.all(of: number, db).filter { $0.state == .building }.map(\.epoch)
        }
        for epoch in building {
            let builder = DirectoryBuilder(container: self, epoch: epoch)
            var total = try builder.count()
            var done = 0
            while let batch = try builder.buildBatch() {
                done += batch
                total = max(total, done)
                progress(DirectoryBuild.Progress(people: done, total: total))
                // Whoever waits for the writer is to have it now.
                Thread.sleep(seconds: 0.002)
            }
        }
    }

    /// Begins a private directory, or a new epoch of it.
    package func beginPrivateEpoch() throws -> UInt32 {
        try service.write(isLarge: true) { db in
            try insertEpoch(db)
            return try DirectoriesTable.all(of: number, db).first?.epoch ?? 0
        }
    }

    /// Puts the next people into an epoch that is being built, and returns how many were looked at; nil when it is complete.
    package func buildBatch(of epoch: UInt32, size: Int) throws -> Int? {
        try DirectoryBuilder(container: self, epoch: epoch, batchSize: size).buildBatch()
    }

    /// Empties what has ended.
    private func endDirectories() throws {
        while try endBatch() { Thread.sleep(seconds: 0.002) }
    }

    private func endBatch() throws -> Bool {
        try service.store.write(isLarge: true) { db in
            let ending = try DirectoriesTable.all(of: number, db).first { $0.state == .ending }
            guard let ending else { return false }
            let count =
                ending.epoch == 0
                ? try DirectoryTable.delete(atMost: Container.endingBatch, in: number, db)
                : try PrivateDirectoryTable.delete(atMost: Container.endingBatch, of: ending.epoch, in: number, db)
            if count == 0 { try DirectoriesTable.delete(ending.epoch, of: number, db) }
            return true
        }
    }

    private static let endingBatch = 10_000
}
