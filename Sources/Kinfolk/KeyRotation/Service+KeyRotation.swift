import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

extension Service {
    /// Changes the service key and all keys below it: everything in the store is sealed and indexed anew.
    ///
    /// This goes on while the store is in use, account by account, and whoever has it open goes on too: discovery and all
    /// other calls give the same answers all the while. A rotation that was interrupted is gone on with by calling this again.
    /// Sync states stay valid.
    ///
    /// From the beginning on the store opens with the new key, and until the end with the old one too. Copies that were made
    /// before, backups say, need the old key for ever. A service of another process that is idle for the whole time
    /// finds the new key in its key file; if the host keeps the key, it must be opened anew.
    ///
    /// - Parameters:
    ///   - key: Where the new service key comes from. Without it, the key file is replaced by one with a new key; the old
    ///     one is kept beside it.
    ///   - progress: Told after each batch, on the calling thread.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if no key is given and the present one is in no file, or it is the
    ///   present key, ``KinfolkError/Code/storeCorrupt`` if something in the store does not open: nothing is lost then, and
    ///   both keys are needed until it is mended.
    public func rotateKeys(
        to key: KeySource? = nil,
        progress: (KeyRotation.Progress) -> Void = { _ in }
    ) throws(KinfolkError) -> KeyRotation {
        do {
            let begun = try keychain.begin(to: key, in: store)
            let worker = KeyRotationWorker(service: self, epoch: begun.epoch)
            var total = try worker.count()
            var done = 0
            while let batch = try worker.rotateBatch() {
                done += batch
                total = max(total, done)
                progress(KeyRotation.Progress(accounts: done, total: total))
                // Whoever waits for the writer is to have it now.
                Thread.sleep(seconds: 0.002)
            }
            try worker.finish()
            // What lies beside the key is authenticated by the old key, or lay beside another.
            age.raise(at: steadyClock(), anyway: true)
            return KeyRotation(accounts: done, oldKeyPath: begun.oldKeyPath)
        } catch {
            throw KinfolkError(error)
        }
    }

    /// Begins a rotation, or goes on with one.
    ///
    /// - Returns: The path of the file that keeps the old key, if there is one.
    package func beginRotation(to key: KeySource?) throws -> String? {
        try keychain.begin(to: key, in: store).oldKeyPath
    }

    /// Rotates the next accounts, and returns how many; nil when there are no more.
    package func rotateBatch() throws -> Int? { try KeyRotationWorker(service: self).rotateBatch() }
}
