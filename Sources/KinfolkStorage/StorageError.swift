/// What can go wrong in KinfolkStorage.
package struct StorageError: Error, Equatable {
    package enum Kind: Sendable {
        /// Another process or thread holds the store for longer than the wait.
        case busy
        /// There is no space left.
        case full
        /// The file system does not let this process read and write the store.
        case notPermitted
        /// The file, or a file next to it that belongs to it, has another user as its owner.
        case foreignOwner
        /// The write-ahead log next to the file belongs to another state of the file, or to another file.
        case foreignLog
        /// The file was not closed, and the content of its log cannot be read without writing.
        case logNeedsWriting
        /// The store is open for reading only.
        case readOnly
        /// Somebody has the file open that is to be replaced.
        case inUse
        /// There is no such file, or its folder is missing.
        case missing
        /// There already is a file of this name.
        case exists
        /// The file cannot be opened now: for example, the process has too many open files.
        case cannotOpen
        /// The file is not a database, or belongs to another program.
        case foreign
        /// A newer version made the database, or has brought it to its schema.
        case newer
        /// The database has the schema of an older version, and is open for reading only.
        case older
        /// The database is damaged.
        case corrupt
        /// Reading or writing the file failed.
        case inputOutput
        /// The store was opened by a process from which this process was forked.
        case forked
        /// A server cannot be reached, or accepts no more connections.
        case unreachable
        /// The connection to a server was lost before anything was committed. Everything was rolled back and may be retried.
        case interrupted
        /// The server chose another transaction in a conflict. Everything was rolled back and may be retried.
        case conflict
        /// The connection was lost during the commit: the outcome is unknown.
        case inDoubt
        /// The engine does not support this.
        case unsupported
        /// The address of a server is invalid.
        case noAddress
        /// The store was closed, or is being closed.
        case closed
        /// The caller misused the storage.
        case misuse
    }

    package let kind: Kind

    /// SQLite's extended result code, or 0.
    package let code: Int32

    /// What a server or libpq reported: a SQLSTATE, or why there is no connection. Never contains a value.
    package let detail: String

    package init(_ kind: Kind, code: Int32 = 0, detail: String = "") {
        self.kind = kind
        self.code = code
        self.detail = detail
    }

    /// The engine's own error code or message.
    package var origin: String { detail.isEmpty ? "SQLite error \(code)" : detail }

    /// Whether the failed transaction was rolled back and may well succeed now.
    var isPassing: Bool { kind == .interrupted || kind == .conflict || isOfUnmadeIndex }

    /// Whether another process was about to make the index of the log. It may end before, and this connection must not keep the index in use.
    private var isOfUnmadeIndex: Bool { code == StorageError.indexIsBeingMade }

    /// Whether the cause may be that others created, deleted or replaced the store's files while this process opened them.
    var mayBeOfChangedFiles: Bool {
        switch kind {
        case .cannotOpen, .inputOutput, .logNeedsWriting, .notPermitted: true
        default: isOfUnmadeIndex
        }
    }
}
