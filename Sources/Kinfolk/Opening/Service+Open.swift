import KinfolkAccess
import KinfolkAccounts
public import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkDocuments
package import KinfolkFiles
public import KinfolkModel
import KinfolkRecords
import KinfolkSubscriptions

extension Service {
    /// Opens the store in a file or on a server. If there is none, creates it with a new key.
    ///
    /// Any number of processes and threads may have a store open at once.
    ///
    /// ```swift
    /// let service = try Service.open("kinfolk.db")  // the key is in kinfolk.key, made with the store
    /// let shared = try Service.open("postgresql://kinfolk@db.example.com/people", key: .file("/etc/kinfolk.key"))
    /// ```
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
    ///   - requiresLockedMemory: Whether to fail with ``KinfolkError/Code/serviceUnavailable`` if the system does not lock a
    ///     key in memory. An unlocked key could be swapped to a disk. The setting then applies to the whole process.
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

    /// Like the public call, for a path that may not be valid UTF-8.
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
    package convenience init(
        path: FilePath,
        key: KeySource,
        existingOnly: Bool,
        isReadOnly: Bool = false,
        wait: Double,
        memory: MemoryLimits = .standard,
        filteredFrom: Int = 10_000,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws {
        try self.init(
            components: [
                .accounts, .discovery(filteredFrom: filteredFrom), .records, .subscriptions, .documents, .access,
            ],
            path: path,
            key: key,
            existingOnly: existingOnly,
            isReadOnly: isReadOnly,
            wait: wait,
            memory: memory,
            clock: clock
        )
    }
}
