import KinfolkCrypto
package import KinfolkFiles
public import KinfolkModel
package import KinfolkStorage
package import KinfolkThreads

/// One open store with its keys: the operator's handle, which gives access to accounts and containers.
///
/// A service may be used from any thread. Its calls block while they wait for the store. Each call has an `async` form that waits
/// on threads of the service. `close()` closes it, and otherwise the release of the last reference to it and to what was opened through it.
public final class Service: Sendable {
    package let store: Store
    package let keychain: Keychain
    package let components: [Component]
    let parts: [any ServicePart]
    let workers = WorkerPool(limit: 16)
    let upkeep = Upkeep()
    package let age: StoreAge
    /// Whether the store did not exist before: it was made by this service, and by no other that was opened at the same time.
    package let hasMadeStore: Bool
    /// Set when the service has been opened.
    nonisolated(unsafe) private(set) var atExit: AtExit?
    let closing = Lock(Closing.no)
    /// The number of lanes of a counter that all services of a store share.
    package static let laneCount = 16
    /// The lane of this service. With one counter for all, services that write at the same time would wait for each other.
    package let lane = Int.random(in: 0..<Service.laneCount)
    /// The time of day. Tests move it.
    package let clock: @Sendable () -> Timestamp
    /// The time used for limits. Changes of the system's date do not affect it.
    package let steadyClock: @Sendable () -> Timestamp

    /// Opens a store: see `Service.open` for what each parameter means.
    ///
    /// - Parameters:
    ///   - components: What the targets above the core add, the lower ones first.
    ///   - clock: The time of day and of limits, for tests; nil for the system's.
    package init(
        components: [Component],
        path: FilePath,
        key source: KeySource,
        existingOnly: Bool,
        isReadOnly: Bool = false,
        wait: Double,
        memory: MemoryLimits = .standard,
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
            throw KinfolkError(
                .unknownItem,
                "There is no store at this path, and the caller asked for an existing one."
            )
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
        self.components = components
        let context = ServiceContext(store: store, memory: memory)
        parts = components.flatMap { $0.parts(context) }
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

    deinit { if store.isOfThisProcess, beginClosing() { finishClosing() } }

    /// Writes to the store what is only in memory. Called when the service closes, and when the process exits.
    ///
    /// - Parameter deadline: How long to wait for other writers; nil for the store's own limit.
    package func writePending(until deadline: Deadline? = nil) {
        guard !isReadOnly else { return }
        for part in parts { part.writePending(of: self, until: deadline) }
        age.raise(at: steadyClock(), isLast: true, until: deadline)
    }

    /// The keys of the state of the store that this transaction sees.
    package func keys(_ db: Connection) throws -> KeyRing {
        let known = try Known.of(db)
        if let keys = known?.keys { return keys }
        let keys = try keychain.ring(db)
        known?.keys = keys
        return keys
    }

    /// The keys of a container.
    package func keys(ofContainer id: Int64, in db: Connection) throws -> ContainerKeys {
        try keys(db).container(id, db)
    }

    /// The part of a type. The component that has it must be one of those with which the service was opened.
    package func part<Part: ServicePart>(_ type: Part.Type) -> Part {
        // There are few parts, and comparing their types is faster than hashing one.
        for part in parts where ObjectIdentifier(Swift.type(of: part)) == ObjectIdentifier(type) {
            return unsafeDowncast(part, to: type)
        }
        // No caller of the library gets here: only `Service.open` makes services, and it passes all components. The initialisers
        // are `package`.
        preconditionFailure("No component has this part.")
    }
}

extension Service: Redacted {}
