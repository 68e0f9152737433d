package import KinfolkStorage

extension Service {
    /// Copies the store, as it is at one moment, into a new file, while it is in use.
    ///
    /// The key is not in the copy: keep it apart. A copy that was made before a rotation of the keys needs the key of then.
    /// What is erased later stays in the copy. Put it in the place of a store by `restore(_:from:key:replacingOther:wait:progress:)`. By
    /// hand it might come beside the log of the old store, with which it is refused.
    ///
    /// - Parameters:
    ///   - path: The file to make. Only its owner may read it.
    ///   - progress: Told now and then how many pages of how many are copied, on the calling thread. What it throws ends the copy, of
    ///     which nothing stays: see ``KinfolkError/cancelled``.
    /// - Throws: ``KinfolkError/Code/conflict`` if there is a file of this name,
    ///   ``KinfolkError/Code/unknownItem`` if its folder is missing,
    ///   ``KinfolkError/Code/permissionFailure`` if it may not be written.
    public func backUp(
        to path: String,
        progress: (_ pages: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try backUp(to: FilePath(path), progress: progress)
    }

    /// The same for a path of any bytes. It stops, and leaves no file, if `progress` throws.
    package func backUp(
        to path: FilePath,
        progress: (_ pages: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a file is empty or has a NUL in it.")
        }
        do {
            try store.backUp(to: path.absolute, progress: progress)
        } catch let error as StorageError {
            switch error.kind {
            case .missing:
                throw KinfolkError(.unknownItem, "The folder of the copy does not exist, or its name is too long.")
            case .notPermitted: throw KinfolkError(.permissionFailure, "The copy may not be made in its folder.")
            default: throw KinfolkError(error)
            }
        } catch {
            throw KinfolkError(error)
        }
    }
}
