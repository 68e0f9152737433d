import KinfolkCrypto
package import KinfolkStorage
import KinfolkThreads

/// One open store with its keys: the operator's handle, which gives access to accounts and containers.
///
/// A service may be used from any thread. Its calls block while they wait for the store. Each call has an `async` form that waits
/// on threads of the service.
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
    /// Whether the store did not exist before: it was made by this service, and by no other that was opened at the same time.
    package let hasMadeStore: Bool
    /// Set when the service has been opened.
    nonisolated(unsafe) private(set) var atExit: AtExit?
    /// The lane for counters that all services of a store share.
    let lane = Int.random(in: 0..<DirectoryProgress.laneCount)
    /// The time of day. Tests move it.
    package let clock: @Sendable () -> Timestamp
    /// The time used for limits. Changes of the system's date do not affect it.
    package let steadyClock: @Sendable () -> Timestamp

    /// Opens the store in a file or on a server. If there is none, creates it with a new key.
    ///
    /// Any number of processes and threads may have a store open at once.
    ///
    /// - Parameters:
    ///   - path: The store's file, whose folder holds two more files while it is open (`-wal` and `-shm`), or the address of a
    ///     PostgreSQL database, `postgresql://user@host/database`, with libpq's parameters and some of Kinfolk's own
    ///     (`docs/scaling.md`).
    ///   - key: Where the service key comes from. Without the key, the store is lost. A store on a server needs a key from
    ///     elsewhere than `besideStore`.
    ///   - existingOnly: Whether to refuse to create a store.
    ///   - readOnly: Whether to change nothing: no byte of the store, its folder or its key. Calls that would write fail with
    ///     ``KinfolkError/Code/permissionFailure``, and so does discovery by contacts and addresses, which spends permits. The
    ///     store may be on media that cannot be written, may belong to another user who lets this one read it, and may be written
    ///     by others meanwhile. No store is created. See `docs/decisions/0028-restore-check-and-reading-only.md`.
    ///   - wait: How many seconds to wait for other writers before ``KinfolkError/Code/serviceUnavailable``.
    ///   - memory: How much memory the store may use for speed.
    ///   - requiresLockedMemory: Whether to fail with ``KinfolkError/Code/serviceUnavailable`` if the system does not lock a key
    ///     in memory, so that it could be swapped to a disk. This then applies to the whole process.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no store or no folder; ``KinfolkError/Code/keyMismatch`` if the
    ///   key is missing or wrong, or its file belongs to another user; ``KinfolkError/Code/storeCorrupt`` if the file is not a
    ///   Kinfolk store; ``KinfolkError/Code/invalidArgument`` if it was made by a newer version;
    ///   ``KinfolkError/Code/permissionFailure`` if the file system refuses, or the store belongs to a user other than this
    ///   process's and root; ``KinfolkError/Code/serviceUnavailable`` if it is an incomplete copy.
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

    /// The same for a path that need not be valid UTF-8.
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
    ///   - filteredFrom: The number of people from which a container's directory gets a filter.
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
        // Paths are made absolute: connections are opened, and keys read again, later, when the program may have changed its
        // directory.
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
        // The key file of a new store is created before the store, so that no store is ever without its key. An existing file is
        // opened first, so that a file that is no store is reported as such and not as a missing key.
        let existing = isNew ? nil : try openStore()
        let fileKey = try source.fileKey(forStore: path, isNew: isNew)
        let store = try existing ?? openStore()
        let key = try fileKey ?? source.key(of: store)
        let keychain = try Keychain(key, source: source, storePath: path)
        // The file is read before the store, because other processes may raise both counters meanwhile, and they raise the
        // store's first.
        let counts = keychain.counterPath.map(CounterFile.lines) ?? []
        hasMadeStore = try !isReadOnly && store.read(KeyTable.stamp) == nil && store.write(keychain.makeFirstEpoch)
        // Opens the keys, so that a wrong key is reported before anything else is written.
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
        // libpq may have loaded other libraries, which clean up when the process exits.
        Exit.register(atExit, isLate: Store.isServer(path))
    }

    /// Whether all keys of this process are in memory that the system has locked, so that they are never swapped to a disk. The
    /// system locks at most `RLIMIT_MEMLOCK`.
    public var isKeyMemoryLocked: Bool { SecretBytes.areAllLocked }

    /// Whether the service was opened for reading only.
    public var isReadOnly: Bool { store.isReadOnly }

    deinit {
        if let atExit { Exit.unregister(atExit) }
        filters.stop()
        writePending()
    }

    /// Writes to the store what is only in memory. Called when the service closes, and when the process exits.
    ///
    /// - Parameter deadline: How long to wait for other writers; nil for the store's own limit.
    func writePending(until deadline: Deadline? = nil) {
        guard !isReadOnly else { return }
        leases.settle(in: store, keychain.ring, until: deadline)
        activity.writeAll(to: store, lane: lane, until: deadline)
        age.raise(at: steadyClock(), until: deadline)
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
