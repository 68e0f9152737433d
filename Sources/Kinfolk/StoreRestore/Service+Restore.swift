package import KinfolkStorage

extension Service {
    /// Puts a backup in the place of a store, or where there is none: checks it, replaces the store, removes the old store's log, and
    /// accepts the state of the backup as the present one.
    ///
    /// The backup is copied and the copy is checked, as by `check(progress:)`; nothing of the backup is changed. Only then is the store
    /// replaced, at one moment: whenever this is interrupted, there is the old store or the new one, whole. What was changed in the store
    /// after the backup was made is lost. An older backup than this one stays refused when it is put back by hand.
    ///
    /// - Parameters:
    ///   - path: The file of the store. It need not be there.
    ///   - backup: What `backUp(to:progress:)` made, or a copy of a store in a file that nobody had open.
    ///   - key: Where the service key comes from: the one of the moment when the backup was made.
    ///   - replacingOther: Whether to replace a store that is not the one of which the backup was made.
    ///   - wait: How many seconds to wait for others who have the store open.
    ///   - progress: Told now and then how far it is, on the calling thread. What it throws ends the call, before anything was changed:
    ///     see ``KinfolkError/cancelled``.
    /// - Returns: What was checked.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the backup is damaged or is no store,
    ///   ``KinfolkError/Code/serviceUnavailable`` if somebody has the store open, or the disk is full,
    ///   ``KinfolkError/Code/conflict`` if there is another store,
    ///   ``KinfolkError/Code/keyMismatch`` if the key is missing, or not the one of the backup,
    ///   ``KinfolkError/Code/unknownItem`` if there is no backup, or a folder is missing,
    ///   ``KinfolkError/Code/permissionFailure`` if the file system refuses, or the store belongs to another user,
    ///   ``KinfolkError/Code/invalidArgument`` for a store on a server. In none of these cases anything was changed.
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

    /// - Parameter step: Told after each step of the replacement. Tests end the process there.
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
                "A store on a server is restored by the server, with pg_restore say, or copied from a file by \"kinfolk copy\"."
            )
        }
        try key.validate()
        do {
            let (path, backup) = (StoreFile.absolute(path), StoreFile.absolute(backup))
            let restoring = try Restoring(path, from: backup, key: key.resolved, progress)
            if !replacingOther { try restoring.demandSameStore() }
            return try restoring.place(wait: wait, step)
        } catch { throw KinfolkError(error) }
    }
}

/// How far `Service.restore(_:from:key:replacingOther:wait:progress:)` is.
public struct StoreRestore: Hashable, Sendable {
    /// What is being done.
    public enum Step: Hashable, Sendable {
        /// The backup is copied, in bytes.
        case copying
        /// The copy is checked, in rows.
        case checking
    }

    /// What is being done.
    public let step: Step
    /// How much of it is done.
    public let done: Int
    /// Of how much.
    public let total: Int
}
