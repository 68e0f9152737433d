package import KinfolkFiles
public import KinfolkModel
import KinfolkStorage

extension Service {
    /// Copies the store, as it is at one moment, into a new file, while it is in use.
    ///
    /// Documents that their users leave out of backups are not in the copy. The key is not in it either: keep it separately. A copy made before a key rotation needs the key of that time. Data that is
    /// erased later remains in the copy. To replace a store by the copy, use `restore(_:from:key:replacingOther:wait:progress:)`.
    /// If you copy the file by hand, the log of the old store may remain next to it; the store is then refused.
    ///
    /// - Parameters:
    ///   - path: The file to create. Only its owner may read it.
    ///   - progress: Called from time to time with the numbers of pages copied and in total, on the calling thread. If it throws,
    ///     the copy ends and its file is removed: see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a file of this name,
    ///   ``KinfolkError/Code/unknownItem`` if its folder is missing,
    ///   ``KinfolkError/Code/permissionFailure`` if it may not be written.
    public func backUp(
        to path: String,
        progress: (_ pages: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try backUp(to: FilePath(path), progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8. If `progress` throws, it stops and leaves no file.
    package func backUp(
        to path: FilePath,
        progress: (_ pages: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a file is empty or contains a NUL.")
        }
        do {
            let mayHaveExclusions = try mayHaveExclusions()
            try store.backUp(to: path.absolute, progress: progress) { draft in
                // What is new since the first question was made while the pages were copied.
                guard try mayHaveExclusions || self.mayHaveExclusions() else { return }
                let backup = try Store(
                    path: draft.path,
                    identity: draft.identity,
                    existingOnly: true,
                    wait: 30,
                    migrations: Schema.migrations
                )
                for exclusion in components.flatMap(\.exclusions) { try exclusion.apply(self, backup) }
                try backup.leaveLog()
            }
        } catch let error as StorageError {
            switch error.kind {
            case .missing:
                throw KinfolkError(.unknownItem, "The folder of the copy does not exist, or its name is too long.")
            case .notPermitted:
                throw KinfolkError(.permissionFailure, "This process may not create files in the folder of the copy.")
            default: throw KinfolkError(error)
            }
        } catch {
            throw KinfolkError(error)
        }
    }

    private func mayHaveExclusions() throws -> Bool {
        try store.read { db in try components.flatMap(\.exclusions).contains { try $0.mayApply(self, db) } }
    }
}
