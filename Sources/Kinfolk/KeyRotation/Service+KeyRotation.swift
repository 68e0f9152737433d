import KinfolkCore
import KinfolkCrypto
import KinfolkFiles
import KinfolkModel
import KinfolkStorage

extension Service {
    /// Changes the service key and all keys below it: everything in the store is re-sealed and re-indexed.
    ///
    /// This runs while the store is in use, account by account, and other processes can keep it open: discovery and all other
    /// calls give the same answers throughout. Call it again to resume an interrupted rotation. Each private directory also gets
    /// a new key: the one that `Container.announceNextPrivateKey()` announced, if there is one.
    ///
    /// In a planned rotation, sync states stay valid, and the old epochs of private directories answer until
    /// `Container.endPrivateEpochs(before:)`. The store opens with the new key from the beginning, and with the old one until the
    /// end. Earlier copies, such as backups, always need the old key. A service of another process that is idle during the whole
    /// rotation finds the new key in its key file; if the host keeps the key, the service must be opened again.
    ///
    /// If the old key leaked, set `isLeaked`: then it never opens the new keys. Services of other processes find the new key in
    /// their key file at once; services whose host keeps the key must be opened again. The old epochs of private directories end
    /// when the new ones are complete, and until then no new people are added to them.
    ///
    /// - Parameters:
    ///   - key: Where the new service key comes from. Without it, the key file is replaced by one with a new key, and the old
    ///     file is kept next to it.
    ///   - isLeaked: Whether somebody else may have the old key. A rotation that was begun with `isLeaked` also ends with it.
    ///   - progress: Called after each batch, on the calling thread. If it throws, the call ends, and the rotation can be
    ///     resumed: see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if no key is given and the current one is not in a file, or the given key
    ///   is the current one, ``KinfolkError/Code/conflict`` if the key leaked and a planned rotation is in progress: finish that
    ///   first, ``KinfolkError/Code/storeCorrupt`` if something in the store cannot be opened or belongs to nobody: nothing is
    ///   lost then, and both keys are needed until it is repaired.
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
            let done = try worker.rotateAll { done in
                total = max(total, done)
                try progress(KeyRotation.Progress(accounts: done, total: total))
            }
            let epochs = try PrivateKeyRotation(service: self).run { people, count throws(KinfolkError) in
                try progress(KeyRotation.Progress(accounts: done + people, total: total + count))
            }
            try worker.finish()
            // The counter file is authenticated by the old key, or belongs to another key file.
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
            ? [.syncStates, .verificationCodes, .webSessions, .pinnedClients, .paidContacts, .bucketKeyStays]
            : [.syncStates, .verificationCodes, .webSessions]
    }

    /// Begins or resumes a rotation.
    ///
    /// - Returns: The path of the file that keeps the old key, if there is one.
    package func beginRotation(to key: KeySource?, isLeaked: Bool = false) throws -> String? {
        try keychain.begin(to: key, isLeaked: isLeaked, in: store).oldKeyPath?.shown
    }

    /// Rotates the next accounts, and returns how many; nil when none are left.
    package func rotateBatch() throws -> Int? { try KeyRotationWorker(service: self).rotateBatch() }
}
