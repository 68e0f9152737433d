import KinfolkCrypto
package import KinfolkStorage
import KinfolkThreads

/// One open store with its keys: the operator's handle, from which accounts and containers come.
///
/// A service may be used from any thread. Its calls block for as long as the store does; each has an `async` form that waits
/// on threads of the service's own.
public final class Service: Sendable {
    let store: Store
    let keychain: Keychain
    let watcher: AccountWatcher
    let workers = WorkerPool(limit: 16)
    let leases = LimitLeases()
    let activity = Activity()
    let upkeep = Upkeep()
    let age: StoreAge
    let filters: DirectoryFilters
    /// Set at the end of opening.
    nonisolated(unsafe) private(set) var atExit: AtExit?
    /// The lane of everything that all services of a store count together.
    let lane = Int.random(in: 0..<DirectoryProgress.laneCount)
    /// The time of day. Tests move it.
    package let clock: @Sendable () -> Timestamp
    /// The time by which limits are counted: no change of the system's date moves it.
    package let steadyClock: @Sendable () -> Timestamp

    /// Opens the store in a file or on a server, and makes it, with a new key, if there is none.
    ///
    /// Any number of processes and threads may have a store open at once.
    ///
    /// - Parameters:
    ///   - path: The store's file, whose folder holds two more while it is open (`-wal` and `-shm`), or the address of a
    ///     PostgreSQL database, `postgresql://user@host/database`, with libpq's parameters and some of our own (`docs/scaling.md`).
    ///   - key: Where the service key comes from. Whoever loses the key loses the store. A server has no place beside it.
    ///   - existingOnly: Whether to refuse to make a store.
    ///   - readOnly: Whether to change nothing: no byte of the store, its folder or its key. Calls that would write, and
    ///     discovery by contacts and addresses, which spends permits, fail with ``KinfolkError/Code/permissionFailure``. The store may be on
    ///     media that cannot be written, belong to another user who lets this one read it, and be written by others
    ///     meanwhile. No store is made. See `docs/decisions/0028-restore-check-and-reading-only.md`.
    ///   - wait: How many seconds to wait for other writers before ``KinfolkError/Code/serviceUnavailable``.
    ///   - memory: How much memory it may take to be fast.
    ///   - requiresLockedMemory: Whether to fail, with ``KinfolkError/Code/serviceUnavailable``, where the system does not lock a
    ///     key in memory, so that it could be swapped to a disk. From then on that counts for the whole process.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no store or no folder,
    ///   ``KinfolkError/Code/keyMismatch`` for a missing or wrong key, or a key file of another user, ``KinfolkError/Code/storeCorrupt`` if the file is
    ///   not a Kinfolk store, ``KinfolkError/Code/invalidArgument`` if it was made by a newer version,
    ///   ``KinfolkError/Code/permissionFailure`` if the file system refuses, or the store belongs to another user than this
    ///   process's and root,
    ///   ``KinfolkError/Code/serviceUnavailable`` if it is a copy that is not whole.
    public static func open(
        _ path: String,
        key: KeySource = .besideStore,
        existingOnly: Bool = false,
        readOnly: Bool = false,
        wait: Double = 30,
        memory: MemoryLimits = .standard,
        requiresLockedMemory: Bool = false
    ) throws(KinfolkError) -> Service {
        try open(
            FilePath(path),
            key: key,
            existingOnly: existingOnly,
            readOnly: readOnly,
            wait: wait,
            memory: memory,
            requiresLockedMemory: requiresLockedMemory
        )
    }

    /// The same for a path of any bytes.
    package static func open(
        _ path: FilePath,
        key: KeySource,
        existingOnly: Bool = false,
        readOnly: Bool = false,
        wait: Double = 30,
        memory: MemoryLimits = .standard,
        requiresLockedMemory: Bool = false
    ) throws(KinfolkError) -> Service {
        do {
            if requiresLockedMemory { try SecretBytes.requireLocking() }
            return try Service(
                path: path,
                key: key,
                existingOnly: existingOnly,
                isReadOnly: readOnly,
                wait: wait,
                memory: memory
            )
        } catch {
            throw KinfolkError(error)
        }
    }

    /// - Parameters:
    ///   - filteredFrom: How many people a container has before its directory gets a filter.
    ///   - clock: The time of day and of limits, for tests; nil for the system's.
    package init(
        path: FilePath,
        key source: KeySource,
        existingOnly: Bool,
        isReadOnly: Bool = false,
        wait: Double,
        memory: MemoryLimits = .standard,
        filteredFrom: Int = 10_000,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws {
        try StoreFile.validate(path)
        try source.validate()
        // Connections open when they are needed, and keys are read again, when the program may have changed its folder.
        let (path, source) = (StoreFile.absolute(path), source.resolved)
        _ = try source.keyPath(forStore: path)
        let isNew = try StoreFile.isMissingOrEmpty(path, wait: wait, isReadOnly: isReadOnly)
        let existingOnly = existingOnly || isReadOnly
        if existingOnly && isNew {
            throw KinfolkError(.unknownItem, "There is no store at this path, and none was to be made.")
        }
        var isCopy = false
        func openStore() throws -> Store {
            let store = try Store(
                path: path,
                existingOnly: existingOnly,
                isReadOnly: isReadOnly,
                wait: wait,
                cacheSize: memory.pageCache,
                migrations: Schema.migrations
            )
            isCopy = try store.read(CopyMark.isWhole)
            return store
        }
        // A new store comes after its key file, so that there is never one without; but of a file that is no store at all it
        // is not the key that is missing.
        let existing = isNew ? nil : try openStore()
        let fileKey = try source.fileKey(forStore: path, isNew: isNew)
        let store = try existing ?? openStore()
        let key = try fileKey ?? source.key(of: store)
        let keychain = try Keychain(key, source: source, storePath: path)
        // Before the store is looked at: others may raise both counts meanwhile, and the store's first.
        let counts = keychain.counterPath.map(CounterFile.lines) ?? []
        if try store.read(KeyTable.stamp) == nil { try store.write(keychain.makeFirstEpoch) }
        // Opens the keys, and so tells a wrong one at once: nothing else is written before.
        _ = try store.read(keychain.ring)
        try StoreAge.check(counts, keychain, store)
        if isCopy && !isReadOnly { try store.write(CopyMark.remove) }
        self.keychain = keychain
        self.store = store
        watcher = AccountWatcher(store: store)
        filters = DirectoryFilters(store: store, limit: memory.directoryFilters, minimumPeople: filteredFrom)
        self.clock = clock ?? { .now }
        steadyClock = try clock ?? SteadyClock.start(for: store, keychain)
        age = StoreAge(store: store, keychain: keychain, at: steadyClock())
        let atExit = AtExit(self, path: path)
        self.atExit = atExit
        // A server's library may have loaded others, which clean up at the end.
        Exit.register(atExit, isLate: Store.isServer(path))
    }

    /// Whether all keys of this process are in memory that the system has locked, so that they are never swapped to a disk. It locks
    /// no more than `RLIMIT_MEMLOCK`.
    public var isKeyMemoryLocked: Bool { SecretBytes.areAllLocked }

    /// Whether the service was opened for reading only.
    public var isReadOnly: Bool { store.isReadOnly }

    deinit {
        if let atExit { Exit.unregister(atExit) }
        filters.stop()
        guard !isReadOnly else { return }
        leases.settle(in: store, keychain.ring)
        activity.writeAll(to: store, lane: lane)
        age.raise(at: steadyClock())
    }

    /// The keys of the state of the store that this transaction sees.
    func keys(_ db: Connection) throws -> KeyRing {
        let known = try Known.of(db)
        if let keys = known?.keys { return keys }
        let keys = try keychain.ring(db)
        known?.keys = keys
        return keys
    }

    /// The keys of a container.
    func keys(ofContainer id: Int64, in db: Connection) throws -> ContainerKeys { try keys(db).container(id, db) }

    /// The directories of a container.
    func directories(ofContainer id: Int64, in db: Connection) throws -> Directories {
        try keys(db).directories(of: id, db)
    }
}

extension Service: Redacted {}
