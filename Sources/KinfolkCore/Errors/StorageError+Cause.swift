package import KinfolkModel
package import KinfolkStorage

extension StorageError: KinfolkErrorCause {
    package var kinfolkError: KinfolkError {
        switch kind {
        case .busy:
            KinfolkError(.serviceUnavailable, "Another process wrote to the store for longer than the wait. Try again.")
        case .full: KinfolkError(.serviceUnavailable, KinfolkError.fullDisk)
        case .notPermitted where !detail.isEmpty:
            KinfolkError(.permissionFailure, "The store's server does not permit this (\(detail)).")
        case .notPermitted:
            KinfolkError(.permissionFailure, "The file system does not let this process read and write the store.")
        case .foreignOwner:
            KinfolkError(
                .permissionFailure,
                """
                The store, or its -wal, -shm or -journal file, belongs to another user, who may have planted it. Run this as \
                the owner, or give the files to the user that runs it (chown).
                """
            )
        case .foreignLog:
            KinfolkError(
                .storeCorrupt,
                """
                The log beside the store (-wal) is not this file's: another file was put in the place of the store, which may not \
                have been closed. Run "kinfolk restore" with the backup; or move the log away. Nothing was changed.
                """
            )
        case .logNeedsWriting:
            KinfolkError(
                .permissionFailure,
                """
                The store was not closed, and its log (-wal) has no index (-shm): it cannot be read without writing. Open it for \
                writing once, or a copy of both files.
                """
            )
        case .readOnly: KinfolkError(.permissionFailure, "The store is open for reading only.")
        case .inUse:
            KinfolkError(
                .serviceUnavailable,
                "The store is open, in this process or another: end all that use it, and try again. Nothing was changed."
            )
        case .missing: KinfolkError(.unknownItem, "There is no store here, or its folder is missing.")
        case .exists: KinfolkError(.conflict, "There is a file of this name already.")
        case .cannotOpen: KinfolkError(.serviceUnavailable, "The store's file cannot be opened for now.")
        case .foreign: KinfolkError(.storeCorrupt, "This is not a Kinfolk store.")
        case .newer:
            KinfolkError(
                .invalidArgument,
                "The store was made or opened by a newer version of Kinfolk: use that version."
            )
        case .older:
            KinfolkError(
                .permissionFailure,
                """
                The store was made by an older version of Kinfolk, and is open for reading only: open it for writing once, which \
                brings it up to date.
                """
            )
        case .corrupt where code == 0 && detail.isEmpty: .damaged("The store is damaged.")
        case .corrupt: .damaged("The store is damaged (\(origin)).")
        case .inputOutput:
            KinfolkError(.serviceUnavailable, "Reading or writing the store failed (\(origin)).")
        case .forked:
            KinfolkError(
                .serviceUnavailable,
                "This handle was made before a fork. Open the service again in the child process."
            )
        case .closed: KinfolkError(.serviceUnavailable, "The service is closed. Open it again to use the store.")
        case .unreachable: KinfolkError(.serviceUnavailable, "The store's server cannot be reached: \(detail).")
        case .interrupted, .conflict:
            KinfolkError(
                .serviceUnavailable,
                "The store's server was lost, or rolled back because of another writer. Try again."
            )
        case .inDoubt:
            KinfolkError(
                .serviceUnavailable,
                "The store's server was lost during a commit: check whether the change was made before you try again.",
                retryAfter: nil,
                serverRecord: nil,
                isInDoubt: true
            )
        case .unsupported:
            KinfolkError(
                .invalidArgument,
                "Back up a store on a server with the server's tools, such as pg_dump, or copy it to a file."
            )
        case .noAddress: KinfolkError(.invalidArgument, "This is not an address of a PostgreSQL server: \(detail).")
        case .misuse: KinfolkError(.internalError, "Unexpected answer of the store (\(origin)).")
        }
    }
}
