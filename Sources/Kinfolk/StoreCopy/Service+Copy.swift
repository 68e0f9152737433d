import KinfolkAccounts
import KinfolkCore
package import KinfolkFiles
import KinfolkModel
import KinfolkStorage

extension Service {
    /// Copies the store, as it is at one moment, to another place while it is in use: from a file to a server, from a server to a
    /// file, or between two files or two servers.
    ///
    /// Sealed values are copied unchanged, so the key of this service opens the copy. After everything is written, all rows are
    /// read back and compared by number and checksum. The copy cannot be opened before that.
    ///
    /// Call again to resume an interrupted copy, or to bring a copy that nobody has opened yet up to date; rows that agree are
    /// left unchanged. So a store can be moved with a short interruption: copy it, stop everything that uses it, copy again, and
    /// open the copy.
    ///
    /// ```swift
    /// // Copy while services are running; stop them; copy again, which writes only the differences; open the copy.
    /// let copy = try service.copy(to: "postgresql://kinfolk@db.example.com/people")
    /// print(copy.checksum)
    /// ```
    ///
    /// - Parameters:
    ///   - destination: The file to create, or the address of a PostgreSQL database without a store.
    ///   - wait: How many seconds to wait for other users of the destination; nil for as long as this service waits.
    ///   - progress: Called from time to time with the progress, on the calling thread. If it throws, the call ends, and can be
    ///     resumed: see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a store that is not a copy of this one, or a copy that has been
    ///   opened, ``KinfolkError/Code/unknownItem`` if a folder is missing, ``KinfolkError/Code/serviceUnavailable`` if a server
    ///   cannot be reached, refuses, or has no such database, ``KinfolkError/Code/permissionFailure`` if the destination may not
    ///   be written, ``KinfolkError/Code/storeCorrupt`` if something at the destination is not a store, or what was read back is not
    ///   what was written.
    @discardableResult
    public func copy(
        to destination: String,
        wait: Double? = nil,
        progress: (StoreCopy.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> StoreCopy {
        try copy(to: FilePath(destination), wait: wait, progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
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
                        // Uses only the service key: other keys that this process has cached will not be available to users of
                        // the copy.
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
