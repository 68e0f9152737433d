import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// One open store with its keys: the operator's handle, from which accounts and containers come.
///
/// A service may be used from any thread. Its calls block for as long as the store does; each has an `async` form that waits
/// on threads of the service's own.
public final class Service: Sendable {
    let store: Store
    let keys: ServiceKeys
    let watcher: AccountWatcher
    let workers = WorkerPool(limit: 16)
    /// The time of day. Tests move it.
    package let clock: @Sendable () -> Timestamp
    private let containerKeys = Lock<[Int64: ContainerKeys]>([:])

    /// Opens the store in a file, and makes it, with a new key, if there is none.
    ///
    /// Any number of processes and threads may have a store open at once.
    ///
    /// - Parameters:
    ///   - path: The store's file. Its folder holds two more while it is open (`-wal` and `-shm`).
    ///   - key: Where the service key comes from. Whoever loses the key loses the store.
    ///   - existingOnly: Whether to refuse to make a store.
    ///   - wait: How many seconds to wait for other writers before ``KinfolkError/Code/serviceUnavailable``.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no store or no folder,
    ///   ``KinfolkError/Code/keyMismatch`` for a missing or wrong key, ``KinfolkError/Code/storeCorrupt`` if the file is
    ///   not a Kinfolk store, ``KinfolkError/Code/invalidArgument`` if it was made by a newer version,
    ///   ``KinfolkError/Code/permissionFailure`` if the file system refuses.
    public static func open(
        _ path: String,
        key: KeySource = .besideStore,
        existingOnly: Bool = false,
        wait: Double = 30
    ) throws(KinfolkError) -> Service {
        do {
            return try Service(path: path, key: key, existingOnly: existingOnly, wait: wait, clock: { .now })
        } catch {
            throw KinfolkError(error)
        }
    }

    package init(
        path: String,
        key source: KeySource,
        existingOnly: Bool,
        wait: Double,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw KinfolkError(.invalidArgument, "The path of a store is a text without NUL bytes, and not empty.")
        }
        guard !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw KinfolkError(.invalidArgument, "A store is a file: give its path.")
        }
        self.clock = clock
        // Connections open when they are needed, and the program may have changed its folder by then.
        let path = StoreFile.absolute(path)
        let isNew = try StoreFile.isMissingOrEmpty(path)
        if existingOnly && isNew { throw KinfolkError(.unknownItem, "There is no store here.") }
        func openStore() throws -> Store {
            try Store(path: path, existingOnly: existingOnly, wait: wait, migrations: Schema.migrations)
        }
        // A new store comes after its key, so that there is never one without; but of a file that is no store at all it is not
        // the key that is missing.
        let existing = isNew ? nil : try openStore()
        keys = try ServiceKeys(Service.key(from: source, forStore: path, isNew: isNew))
        store = try existing ?? openStore()
        watcher = AccountWatcher(store: store)
        try checkKey()
    }

    private static func key(from source: KeySource, forStore store: String, isNew: Bool) throws -> SecretKey {
        if case .bytes(let bytes) = source {
            guard bytes.count == SecretKey.length else {
                throw KinfolkError(.invalidArgument, "A service key has \(SecretKey.length) bytes.")
            }
            return try bytes.withUnsafeBytes(SecretKey.init(copying:))
        }
        guard let path = source.path(forStore: store), !path.isEmpty, !path.utf8.contains(0) else {
            throw KinfolkError(.invalidArgument, "The path of a key file is a text without NUL bytes, and not empty.")
        }
        if let key = try KeyFile.read(path) { return key }
        guard isNew else {
            throw KinfolkError(.keyMismatch, "The key file is missing. Without it the store cannot be read.")
        }
        try KeyFile.create(path)
        guard let key = try KeyFile.read(path) else {
            throw KinfolkError(.serviceUnavailable, "The key file went away while the store was made.")
        }
        return key
    }

    /// A store knows the check value of its key from its first opening on.
    private func checkKey() throws {
        func stored(_ db: Connection) throws -> [UInt8]? {
            try db.first("SELECT value FROM service WHERE name = 'key_check'") { $0.bytes(0) }
        }
        let check =
            try store.read(stored)
            ?? store.write { db in
                try db.execute(
                    "INSERT INTO service (name, value) VALUES ('key_check', $1) ON CONFLICT DO NOTHING",
                    .bytes(keys.check.bytes)
                )
                return try stored(db)
            }
        guard check == keys.check.bytes else {
            throw KinfolkError(.keyMismatch, "This is not the key that the store was made with.")
        }
    }

    /// The keys of a container, unsealed once.
    func keys(ofContainer id: Int64, in db: Connection) throws -> ContainerKeys {
        if let known = containerKeys.withLock({ $0[id] }) { return known }
        let row = try db.first("SELECT name, sealed_key FROM containers WHERE container_id = $1", .integer(id)) {
            ($0.text(0), $0.bytes(1))
        }
        guard let (name, sealed) = row else { throw KinfolkError(.unknownItem, "There is no such container.") }
        var key = try keys.sealing.open(sealed, at: ContainerKeys.place(ofKeyFor: name))
        defer { key.withUnsafeMutableBytes(wipe) }
        let keys = try ContainerKeys(key.withUnsafeBytes(SecretKey.init(copying:)))
        containerKeys.withLock { $0[id] = keys }
        return keys
    }
}
