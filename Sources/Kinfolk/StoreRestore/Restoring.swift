import KinfolkAccess
import KinfolkCore
import KinfolkFiles
import KinfolkModel
import KinfolkStorage

/// Restores a backup: copies it next to the store, checks and prepares the copy, and then replaces the store by the copy.
struct Restoring {
    /// The file of the store, with symbolic links followed.
    private let path: FilePath
    private let draft: StoreDraft
    private let check: StoreCheck
    private let keychain: Keychain
    private let counter: (StoreCounter, KeyRing)

    /// - Parameters:
    ///   - replacingOther: Whether to replace a store other than the one from which the backup was made.
    ///   - wait: How long to wait until nobody has the store open.
    init(
        _ givenPath: FilePath,
        from backup: FilePath,
        key source: KeySource,
        replacingOther: Bool,
        wait: Double,
        _ progress: (StoreRestore) throws(KinfolkError) -> Void
    ) throws {
        let path = givenPath.followed
        self.path = path
        let files = (FileIdentity(path), FileIdentity(backup))
        guard path != backup, files.0 == nil || files.0 != files.1 else {
            throw KinfolkError(.invalidArgument, "The backup is the store itself.")
        }
        // Found out again when the draft replaces the store; here, before the work that would be for nothing.
        if try !StoreFile.isMissingOrEmpty(path) { try StoreDraft.demandUnused(path, wait: wait) }
        let draft = try Restoring.ofBackup {
            try StoreDraft(of: backup, beside: path) { done, total in
                try progress(StoreRestore(step: .copying, done: done, total: total))
            }
        }
        self.draft = draft
        // Closed when this initialiser returns, so that the copy is a single file.
        let store = try Restoring.ofBackup {
            let store = try Store(
                path: draft.path,
                identity: draft.identity,
                existingOnly: true,
                wait: 30,
                migrations: Schema.migrations
            )
            if try store.read(CopyMark.isWhole) { try store.write(CopyMark.remove) }
            return store
        }
        let key = try source.fileKey(forStore: givenPath, isNew: false) ?? source.key(of: store)
        keychain = try Keychain(key, source: source, storePath: givenPath)
        _ = try store.read(keychain.ring)
        let present = try Restoring.store(at: path, wait: wait)
        let identity = try store.read(CopyMark.identity)
        if !replacingOther && !present.mayBeReplaced(by: identity) { throw Restoring.anotherStore }
        check = try StoreChecker.check(store, keychain) { rows, total in
            try progress(StoreRestore(step: .checking, done: rows, total: total))
        }
        guard check.isSound else { throw Restoring.damaged(check) }
        // Makes the older state acceptable as the current one, before anybody else can see it.
        let lines = keychain.counterPath.map(CounterFile.lines) ?? []
        counter = try StoreAge.renew(keychain, store, above: present == .store(identity) ? lines : nil)
        try store.write { db in try AccessRestore.run(at: .now, db) }
        try store.leaveLog()
    }

    /// Converts an error so that it says that it is about the backup.
    private static func ofBackup<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as StorageError {
            switch error.kind {
            case .foreignLog:
                throw KinfolkError(
                    .serviceUnavailable,
                    "The backup has a log next to it (-wal, -shm): it is a store that is in use or was not closed. Make a backup of it."
                )
            case .inUse: throw KinfolkError(.serviceUnavailable, "The backup was changed while it was copied.")
            case .missing:
                throw KinfolkError(.unknownItem, "There is no backup here, or the folder of the store is missing.")
            case .notPermitted:
                throw KinfolkError(
                    .permissionFailure,
                    "This process may not read the backup, or may not write to the folder of the store."
                )
            case .full: throw KinfolkError(.serviceUnavailable, "The disk of the store is full. Nothing was changed.")
            default:
                let error = KinfolkError(error)
                throw KinfolkError(error.code, "The backup: \(error.reason)")
            }
        }
    }

    private static func damaged(_ check: StoreCheck) -> KinfolkError {
        let findings = check.findings.prefix(5).map { finding in
            "\(finding.kind.explanation) (\(finding.table.isEmpty ? "file" : finding.table), \(finding.times))"
        }
        return KinfolkError(
            .storeCorrupt,
            "The backup is damaged: \(findings.joined(separator: ", ")). Nothing was changed. If there is no better one, move the store's "
                + "files away (also those ending in -wal and -shm), and put a copy of the backup in their place."
        )
    }

    /// What is at the path where the store is to be.
    private enum Present: Equatable {
        case nothing
        /// A store that can be read.
        case store(RandomID)
        /// A file of another program, a store of a later version, or a copy of a store, which becomes a store of its own when it is opened.
        case other
        /// A store that is too damaged to tell which it is, or that has another file's log next to it.
        case damaged

        func mayBeReplaced(by backup: RandomID) -> Bool {
            switch self {
            case .nothing, .damaged: true
            case .store(let identity): identity == backup
            case .other: false
            }
        }
    }

    private static var anotherStore: KinfolkError {
        KinfolkError(
            .conflict,
            "There is another store or file, and this is not a backup of it. Nothing was changed: name another place, or replace it on purpose."
        )
    }

    private static func store(at path: FilePath, wait: Double) throws -> Present {
        func present(isReadOnly: Bool) throws -> Present {
            let store = try Store(
                path: path,
                existingOnly: true,
                isReadOnly: isReadOnly,
                acceptsOlder: isReadOnly,
                wait: wait,
                migrations: Schema.migrations
            )
            return try store.read { db in try CopyMark.isCopy(db) ? .other : .store(CopyMark.identity(db)) }
        }
        do {
            if try StoreFile.isMissingOrEmpty(path) { return .nothing }
            do { return try present(isReadOnly: true) } catch let error as StorageError {
                // A store that was not closed must be opened for writing, as its next user would do.
                guard error.kind == .logNeedsWriting else { throw error }
                return try present(isReadOnly: false)
            }
        } catch let error as StorageError {
            switch error.kind {
            case .corrupt, .foreignLog: return .damaged
            case .foreign, .newer: return .other
            default: throw error
            }
        } catch let error as KinfolkError {
            guard error.code == .storeCorrupt else { throw error }
            return .damaged
        }
    }

    /// Replaces the store by the copy.
    func place(wait: Double, _ step: (StoreDraft.Step) throws -> Void) throws -> StoreCheck {
        try draft.place(at: path, wait: max(wait, 0), step: step)
        // If this fails, no counter file has the store's new incarnation, so the store is not refused as older.
        if let path = keychain.counterPath { try? CounterFile.note(counter.0, counter.1, at: path) }
        return check
    }
}
