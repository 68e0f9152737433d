package import KinfolkFiles
public import KinfolkModel
import KinfolkStorage

extension Service {
    /// Accepts an older state of a store, which was restored from a backup on purpose, as the current one.
    ///
    /// A change counter is kept in the store and next to its key file. A store whose count is lower than that next to the key
    /// file is refused with ``KinfolkError/Code/storeCorrupt``: somebody may have put back an older file, in which spent permits
    /// and erased people are present again. This call gives the store a new counter.
    ///
    /// Call it after each restore on a server, also if the key is not in a file. Server change tokens from before fail then with
    /// ``KinfolkError/Code/changeTokenExpired``: the state that was lost may have given the same numbers to other changes.
    ///
    /// - Parameters:
    ///   - path: The store's file or address.
    ///   - key: Where the service key comes from.
    ///   - wait: How many seconds to wait for other writers.
    /// - Returns: Whether the store was older than its counter file says. If not, only the tokens expire.
    /// - Throws: The errors of `open(_:key:existingOnly:readOnly:wait:memory:requiresLockedMemory:)`.
    @discardableResult
    public static func acceptOlder(
        _ path: String,
        key: KeySource = .besideStore,
        wait: Double = 30
    ) throws(KinfolkError) -> Bool {
        try acceptOlder(FilePath(path), key: key, wait: wait)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    package static func acceptOlder(
        _ path: FilePath,
        key: KeySource,
        wait: Double = 30
    ) throws(KinfolkError) -> Bool {
        do {
            try StoreFile.validate(path)
            try key.validate()
            guard try !StoreFile.isMissingOrEmpty(path, wait: wait) else {
                throw KinfolkError(.unknownItem, "There is no store at this path.")
            }
            let (path, source) = (StoreFile.absolute(path), key.resolved)
            let store = try Store(path: path, existingOnly: true, wait: wait, migrations: Schema.migrations)
            _ = try store.read(CopyMark.isWhole)
            let key = try source.fileKey(forStore: path, isNew: false) ?? source.key(of: store)
            let keychain = try Keychain(key, source: source, storePath: path)
            let lines = keychain.counterPath.map(CounterFile.lines) ?? []
            guard try StoreAge.isOlder(lines, keychain, store) else {
                try store.write(StoreHistory.renew)
                return false
            }
            try StoreAge.accept(keychain, store)
            return true
        } catch { throw KinfolkError(error) }
    }
}
