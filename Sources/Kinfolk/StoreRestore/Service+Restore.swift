import KinfolkCore
package import KinfolkFiles
import KinfolkModel
package import KinfolkStorage

extension Service {
    /// Restores a backup: checks it, puts it in the place of the store, if there is one, removes the old store's log, and accepts
    /// the state of the backup as the current one.
    ///
    /// The backup is copied, and the copy is checked as by `check(progress:)`; the backup itself is not changed. Only then is the
    /// store replaced, in one atomic step: if this call is interrupted, either the old or the new store is there, complete.
    /// Changes made to the store after the backup are lost. A backup older than this one is still refused if somebody puts it
    /// back by hand.
    ///
    /// ```swift
    /// try Service.restore("kinfolk.db", from: "backup.db")  // stop all programs that use the store first
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file of the store. It need not exist.
    ///   - backup: A file that `backUp(to:progress:)` made, or a copy of a store's file that was made while nobody had the store
    ///     open.
    ///   - key: Where the service key comes from: the key from the time of the backup.
    ///   - replacingOther: Whether to replace a store other than the one from which the backup was made.
    ///   - wait: How many seconds to wait until nobody has the store open.
    ///   - progress: Called from time to time with the progress, on the calling thread. If it throws, the call ends before
    ///     anything is changed: see ``KinfolkError/cancelled``.
    /// - Returns: What was checked.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the backup is damaged or is not a store,
    ///   ``KinfolkError/Code/serviceUnavailable`` if somebody has the store open, or the disk is full,
    ///   ``KinfolkError/Code/conflict`` if there is another store, ``KinfolkError/Code/keyMismatch`` if the key is missing, or
    ///   not that of the backup, ``KinfolkError/Code/unknownItem`` if there is no backup, or a folder is missing,
    ///   ``KinfolkError/Code/permissionFailure`` if the file system refuses, or the store belongs to another user,
    ///   ``KinfolkError/Code/invalidArgument`` for a store on a server. In all these cases nothing is changed.
    @discardableResult
    public static func restore(
        _ path: String,
        from backup: String,
        key: KeySource = .besideStore,
        replacingOther: Bool = false,
        wait: Double = 5,
        progress: (StoreRestore) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> StoreCheck {
        try restore(FilePath(path), from: FilePath(backup), key: key, replacingOther, wait, progress) { _ in }
    }

    /// - Parameter step: Called after each step of the replacement. Tests end the process there.
    @discardableResult
    package static func restore(
        _ path: FilePath,
        from backup: FilePath,
        key: KeySource,
        _ replacingOther: Bool,
        _ wait: Double,
        _ progress: (StoreRestore) throws(KinfolkError) -> Void,
        step: (StoreDraft.Step) throws -> Void = { _ in }
    ) throws(KinfolkError) -> StoreCheck {
        try StoreFile.validate(path)
        try StoreFile.validate(backup)
        guard !StoreFile.isServer(path), !StoreFile.isServer(backup) else {
            throw KinfolkError(
                .invalidArgument,
                "Restore a store on a server with the server's tools, such as pg_restore, or copy it from a file with \"kinfolk copy\"."
            )
        }
        try key.validate()
        do {
            let (path, backup) = (StoreFile.absolute(path), StoreFile.absolute(backup))
            let restoring = try Restoring(
                path,
                from: backup,
                key: key.resolved,
                replacingOther: replacingOther,
                wait: wait,
                progress
            )
            return try restoring.place(wait: wait, step)
        } catch { throw KinfolkError(error) }
    }
}
