import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

extension Service {
    /// Changes the service key and all keys below it: everything in the store is sealed and indexed anew.
    ///
    /// This goes on while the store is in use, account by account, and whoever has it open goes on too: discovery and all
    /// other calls give the same answers all the while. Call it again to resume an interrupted rotation. Each private directory
    /// gets a new key too: the one that `Container.announceNextPrivateKey()` announced, if there is one.
    ///
    /// In a planned rotation sync states stay valid, and the old epochs of private directories answer until
    /// `Container.endPrivateEpochs(before:)`. From the beginning on the store opens with the new key, and until the end with the
    /// old one too. Copies that were made before, backups say, need the old key for ever. A service of another process that is
    /// idle for the whole time finds the new key in its key file; if the host keeps the key, it must be opened anew.
    ///
    /// If the old key leaked, say so: then it does not open the new keys at any moment. Services of other processes find the new
    /// key in their key file at once; those that have a key of the host must be opened anew. The old epochs of private
    /// directories end when the new ones are complete, and until then they take up nobody new.
    ///
    /// - Parameters:
    ///   - key: Where the new service key comes from. Without it, the key file is replaced by one with a new key; the old
    ///     one is kept beside it.
    ///   - isLeaked: Whether somebody else may have the old key. A rotation that was begun so ends so.
    ///   - progress: Told after each batch, on the calling thread. What it throws ends the call, and the rotation can be
    ///     resumed: see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if no key is given and the present one is in no file, or it is the
    ///   present key, ``KinfolkError/Code/conflict`` if a planned rotation is under way and the key leaked: finish it first,
    ///   ``KinfolkError/Code/storeCorrupt`` if something in the store does not open or belongs to nobody: nothing is lost
    ///   then, and both keys are needed until it is mended.
    public func rotateKeys(
        to key: KeySource? = nil,
        isLeaked: Bool = false,
        progress: (KeyRotation.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> KeyRotation {
        do {
            let begun = try keychain.begin(to: key, isLeaked: isLeaked, in: store)
            let isLeaked = try isLeaked || store.read(KeyTable.isLeaked)
            let worker = KeyRotationWorker(service: self, epoch: begun.epoch)
            var total = try worker.count()
            var done = 0
            while let batch = try worker.rotateBatch() {
                done += batch
                total = max(total, done)
                try progress(KeyRotation.Progress(accounts: done, total: total))
                // Whoever waits for the writer is to have it now.
                Thread.sleep(seconds: 0.002)
            }
            let epochs = try PrivateKeyRotation(service: self).run { people, count throws(KinfolkError) in
                try progress(KeyRotation.Progress(accounts: done + people, total: total + count))
            }
            try worker.finish()
            // What lies beside the key is authenticated by the old key, or lay beside another.
            age.raise(at: steadyClock(), anyway: true)
            return KeyRotation(
                accounts: done,
                oldKey: begun.oldKeyPath,
                privateEpochs: epochs,
                consequences: isLeaked ? Service.consequences(hasPrivateDirectories: !epochs.isEmpty) : []
            )
        } catch {
            throw KinfolkError(error)
        }
    }

    private static func consequences(hasPrivateDirectories: Bool) -> KeyRotation.Consequences {
        hasPrivateDirectories
            ? [.syncStates, .verificationCodes, .pinnedClients, .paidContacts, .bucketKeyStays]
            : [.syncStates, .verificationCodes]
    }

    /// Begins a rotation, or goes on with one.
    ///
    /// - Returns: The path of the file that keeps the old key, if there is one.
    package func beginRotation(to key: KeySource?, isLeaked: Bool = false) throws -> String? {
        try keychain.begin(to: key, isLeaked: isLeaked, in: store).oldKeyPath?.shown
    }

    /// Rotates the next accounts, and returns how many; nil when there are no more.
    package func rotateBatch() throws -> Int? { try KeyRotationWorker(service: self).rotateBatch() }
}
