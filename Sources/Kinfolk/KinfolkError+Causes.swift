import KinfolkCrypto
import KinfolkStorage

extension KinfolkError {
    /// The only place where an error of a lower layer is converted to the error that the caller sees.
    init(_ cause: any Error) {
        switch cause {
        case let error as KinfolkError: self = error
        case let error as StorageError: self.init(error)
        case CryptoError.notAuthentic:
            self = .damaged("A sealed value does not open: the store was changed from outside.")
        case CryptoError.notLocked:
            self.init(
                .serviceUnavailable,
                """
                The system does not lock the keys in memory, as is required here: raise the limit of locked memory \
                (RLIMIT_MEMLOCK, LimitMEMLOCK= of systemd, ulimit -l).
                """
            )
        case CryptoError.unavailable: self.init(.internalError, "There is no memory for a key.")
        case let error as OPRFError: self.init(error)
        default: self.init(.internalError, "Unexpected failure.")
        }
    }

    private static let fullDisk = "The disk is full."

    /// Whether the disk of the store is full. The store can then still be opened for reading only.
    package var isOfFullDisk: Bool { code == .serviceUnavailable && reason == KinfolkError.fullDisk }

    /// The error of a call that found damage: what it found, and what to do.
    static func damaged(_ what: String) -> KinfolkError {
        KinfolkError(.storeCorrupt, "\(what)\(whatToDo)")
    }

    private static let whatToDo = " Find out how far it goes (kinfolk check), or restore a backup."

    /// Whether the store is damaged, and not, for example, another kind of file.
    package var isOfDamage: Bool { code == .storeCorrupt && reason.hasSuffix(KinfolkError.whatToDo) }

    /// The reason without what to do.
    package var damage: String {
        isOfDamage ? String(reason.dropLast(KinfolkError.whatToDo.count)) : reason
    }

    private init(_ error: OPRFError) {
        switch error {
        case .notAnElement: self.init(.invalidArgument, "A point of the message is no element of ristretto255.")
        case .identity: self.init(.invalidArgument, "A point of the message is the identity.")
        case .notAScalar: self.init(.invalidArgument, "The proof of the message is none.")
        case .wrongProof: self.init(.keyMismatch, "The server did not use the key that it names.")
        case .unavailable: self.init(.internalError, "There is no memory for a key.")
        default: self.init(.internalError, "Unexpected failure of the oblivious function.")
        }
    }

    private init(_ error: StorageError) {
        switch error.kind {
        case .busy:
            self.init(.serviceUnavailable, "Another process wrote to the store for longer than the wait. Try again.")
        case .full: self.init(.serviceUnavailable, KinfolkError.fullDisk)
        case .notPermitted where !error.detail.isEmpty:
            self.init(.permissionFailure, "The store's server does not permit this (\(error.detail)).")
        case .notPermitted:
            self.init(.permissionFailure, "The file system does not let this process read and write the store.")
        case .foreignOwner:
            self.init(
                .permissionFailure,
                """
                The store, or its -wal, -shm or -journal file, belongs to another user, who may have planted it. Run this as \
                the owner, or give the files to the user that runs it (chown).
                """
            )
        case .foreignLog:
            self.init(
                .storeCorrupt,
                """
                The log beside the store (-wal) is not this file's: another file was put in the place of the store, which may not \
                have been closed. Run "kinfolk restore" with the backup; or move the log away. Nothing was changed.
                """
            )
        case .logNeedsWriting:
            self.init(
                .permissionFailure,
                """
                The store was not closed, and its log (-wal) has no index (-shm): it cannot be read without writing. Open it for \
                writing once, or a copy of both files.
                """
            )
        case .readOnly: self.init(.permissionFailure, "The store is open for reading only.")
        case .inUse:
            self.init(
                .serviceUnavailable,
                "The store is open, in this process or another: end all that use it, and try again. Nothing was changed."
            )
        case .missing: self.init(.unknownItem, "There is no store here, or its folder is missing.")
        case .exists: self.init(.conflict, "There is a file of this name already.")
        case .cannotOpen: self.init(.serviceUnavailable, "The store's file cannot be opened for now.")
        case .foreign: self.init(.storeCorrupt, "This is not a Kinfolk store.")
        case .newer: self.init(.invalidArgument, "The store was made by a newer version of Kinfolk.")
        case .corrupt where error.code == 0 && error.detail.isEmpty: self = .damaged("The store is damaged.")
        case .corrupt: self = .damaged("The store is damaged (\(error.origin)).")
        case .inputOutput:
            self.init(.serviceUnavailable, "Reading or writing the store failed (\(error.origin)).")
        case .forked:
            self.init(
                .serviceUnavailable,
                "This handle was opened before a fork. Open the service anew in the child process."
            )
        case .unreachable: self.init(.serviceUnavailable, "The store's server cannot be reached: \(error.detail).")
        case .interrupted:
            self.init(
                .serviceUnavailable,
                "The store's server was lost, or could not decide between writers. Try again."
            )
        case .inDoubt:
            self.init(
                .serviceUnavailable,
                "The store's server was lost while it kept a change: look whether it did so before you try again.",
                retryAfter: nil,
                serverRecord: nil,
                isInDoubt: true
            )
        case .unsupported:
            self.init(
                .invalidArgument,
                "A store on a server is backed up by the server, with pg_dump say, or copied to a file."
            )
        case .noAddress: self.init(.invalidArgument, "This is no address of a PostgreSQL server: \(error.detail).")
        case .misuse: self.init(.internalError, "Unexpected answer of the store (\(error.origin)).")
        }
    }
}
