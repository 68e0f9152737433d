import CLibPQ

/// PostgreSQL's client library, loaded when the first server is opened.
enum LibPQ {
    private static let loaded: Result<kinfolk_pg, StorageError> = {
        // Either all functions are found, or none is used.
        let functions = UnsafeMutablePointer<kinfolk_pg>.allocate(capacity: 1)
        defer { functions.deallocate() }
        switch kinfolk_pg_load(functions) {
        case 0: return .success(functions.pointee)
        case -1:
            return .failure(
                StorageError(.unreachable, detail: "libpq.so.5 is not installed: Debian's package is libpq5")
            )
        default:
            return .failure(StorageError(.unreachable, detail: "libpq.so.5 is older than version 14"))
        }
    }()

    /// The functions, or an error that says what to install.
    static func functions() throws -> kinfolk_pg { try loaded.get() }
}
