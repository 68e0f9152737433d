/// What can go wrong in KinfolkStorage.
package struct StorageError: Error, Equatable {
    package enum Kind: Sendable {
        /// Somebody else holds the store for longer than the wait.
        case busy
        /// There is no space left.
        case full
        /// The file system does not let this process read and write the store.
        case notPermitted
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
        /// A fault of the caller.
        case misuse
    }

    package let kind: Kind

    /// SQLite's extended result code, or 0.
    package let code: Int32

    package init(_ kind: Kind, code: Int32 = 0) {
        self.kind = kind
        self.code = code
    }
}
