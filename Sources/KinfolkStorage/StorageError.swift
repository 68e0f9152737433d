/// What can go wrong in KinfolkStorage.
package struct StorageError: Error, Equatable {
    package enum Kind: Sendable {
        /// Somebody else holds the store for longer than the wait.
        case busy
        /// There is no space left.
        case full
        /// The file system does not let this process read and write the store.
        case notPermitted
        /// The file, or one beside it that belongs to it, belongs to another user.
        case foreignOwner
        /// The write-ahead log beside the file belongs to another state of it, or to another file.
        case foreignLog
        /// The file was not closed, and what is in its log cannot be read without writing.
        case logNeedsWriting
        /// The store is open for reading only.
        case readOnly
        /// Somebody has the file open that is to be replaced.
        case inUse
        /// There is no such file, or its folder is missing.
        case missing
        /// There is a file of this name already.
        case exists
        /// The file cannot be opened just now: the process has too many open, for example.
        case cannotOpen
        /// The file is not a database, or another program's.
        case foreign
        /// The database was made by a newer version.
        case newer
        /// The database is damaged.
        case corrupt
        /// Reading or writing the file failed.
        case inputOutput
        /// The store was opened by a process that this one was forked from.
        case forked
        /// A server cannot be reached, or has no room for us.
        case unreachable
        /// The connection to a server was lost before anything was committed, or the server took another's side in a conflict:
        /// all is undone, and may be tried again.
        case interrupted
        /// The connection was lost while the server committed: nobody here knows what came of it.
        case inDoubt
        /// Something that this engine does not have.
        case unsupported
        /// The address of a server is none.
        case noAddress
        /// A fault of the caller.
        case misuse
    }

    package let kind: Kind

    /// SQLite's extended result code, or 0.
    package let code: Int32

    /// What a server, or the way to it, said: a SQLSTATE, or why there is no connection. Never a value.
    package let detail: String

    package init(_ kind: Kind, code: Int32 = 0, detail: String = "") {
        self.kind = kind
        self.code = code
        self.detail = detail
    }

    /// Which engine said what.
    package var origin: String { detail.isEmpty ? "SQLite error \(code)" : detail }

    /// Whether what failed was undone and may well succeed now.
    var isPassing: Bool { kind == .interrupted }
}
