package import KinfolkStorage

extension Service {
    /// Copies the store, as it is at one moment, to another place while it is in use: from a file to a server, back, or between
    /// two of a kind.
    ///
    /// All that is sealed stays as it is: the key of this service opens the copy. Rows are read again when all are written, and
    /// compared by number and checksum. Only then can the copy be opened.
    ///
    /// Run again it goes on where it was interrupted, or brings a copy that nobody has opened yet up to date: what agrees is
    /// left as it is. So a store moves with little rest: copy it, end what uses it, copy again, and open the copy.
    ///
    /// - Parameters:
    ///   - destination: The file to make, or the address of a PostgreSQL database without a store.
    ///   - wait: How many seconds to wait for others at the destination; nil for as many as this service waits.
    ///   - progress: Told now and then how far it is, on the calling thread. What it throws ends the call, which can be resumed:
    ///     see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a store that is no copy of this one, or that was opened,
    ///   ``KinfolkError/Code/unknownItem`` if a folder is missing,
    ///   ``KinfolkError/Code/serviceUnavailable`` if a server is away, refuses or has no such database,
    ///   ``KinfolkError/Code/permissionFailure`` if it may not be written,
    ///   ``KinfolkError/Code/storeCorrupt`` if something else is there, or what was read again is not what was written.
    @discardableResult
    public func copy(
        to destination: String,
        wait: Double? = nil,
        progress: (StoreCopy.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> StoreCopy {
        try copy(to: FilePath(destination), wait: wait, progress: progress)
    }

    /// The same for a path of any bytes.
    @discardableResult
    package func copy(
        to destination: FilePath,
        wait: Double? = nil,
        progress: (StoreCopy.Progress) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> StoreCopy {
        try StoreFile.validate(destination)
        do {
            let path = StoreFile.absolute(destination)
            return try withoutActuallyEscaping(progress) { progress in
                try StoreCopier(from: store, to: path, wait: wait ?? store.wait, progress: progress).run(
                    prove: { db in
                        // With the key alone: what this process has learnt besides will not be there.
                        let keys = try Keychain(keyOf: keychain).ring(db)
                        _ = try AccountRows.verifyAll(with: keys, db)
                    },
                    finish: { db in try StoreCounter().note(Keychain(keyOf: keychain).ring(db), db) }
                )
            }
        } catch {
            throw KinfolkError(error)
        }
    }
}
