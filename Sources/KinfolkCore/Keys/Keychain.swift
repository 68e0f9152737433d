package import KinfolkCrypto
package import KinfolkFiles
import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The keys of an open service. Each transaction asks it for the keys that match the state of the store.
///
/// Another process may rotate the keys at any time. So each transaction compares the store's key stamp with that of the keys in
/// memory, and loads the keys from the store if they differ.
package final class Keychain: Sendable {
    private struct State {
        var serviceKey: ServiceKey
        var source: KeySource
        /// The key file; nil if the key does not come from one, and after the store was closed.
        var file: FilesInUse?
        var isClosed = false
        /// The key rings of the latest states of the store. Older rings are kept, because a reader may still see an older state, and
        /// because a later state may use some of the same root keys.
        var rings: [KeyRing] = []

        init(_ serviceKey: ServiceKey, _ source: KeySource, _ storePath: FilePath) {
            (self.serviceKey, self.source) = (serviceKey, source)
            file = source.path(forStore: storePath).map { FilesInUse(key: KeyFile.followed($0)) }
        }

        mutating func keep(_ ring: KeyRing) {
            // Another thread may have loaded the same ring meanwhile.
            guard !rings.contains(where: { $0.stamp == ring.stamp }) else { return }
            rings.append(ring)
            guard rings.count > 4 else { return }
            rings.indices.min { rings[$0].newest.epoch < rings[$1].newest.epoch }.map { _ = rings.remove(at: $0) }
        }
    }

    package let storePath: FilePath
    private let state: Lock<State>

    package init(_ key: SecretKey, source: KeySource, storePath: FilePath) throws {
        self.storePath = storePath
        state = Lock(State(try ServiceKey(key), source, storePath))
    }

    /// A keychain with the current service key of another keychain, and none of its cached keys.
    package init(keyOf other: Keychain) {
        storePath = other.storePath
        state = Lock(other.state.withLock { State($0.serviceKey, $0.source, other.storePath) })
    }

    /// The current source of the service key.
    package var source: KeySource { state.withLock { $0.source } }

    /// The key ring that was loaded last, nearly always that of the store's current state.
    package var latest: KeyRing? { state.withLock { $0.rings.last } }

    /// The keys of the state of the store that this transaction sees.
    package func ring(_ db: Connection) throws -> KeyRing {
        guard let stamp = try KeyTable.stamp(db) else {
            throw StorageError(try KeyTable.hadKeys(db) ? .corrupt : .foreign)
        }
        if let ring = state.withLock({ $0.rings.last { $0.stamp == stamp } }) { return ring }
        let ring = try open(stamp, state.withLock { $0 }, db)
        state.withLock { $0.keep(ring) }
        return ring
    }

    /// Creates the first epoch unless there is one.
    ///
    /// - Returns: Whether it did.
    func makeFirstEpoch(_ db: Connection) throws -> Bool {
        guard try KeyTable.stamp(db) == nil else { return false }
        guard try !KeyTable.hadKeys(db) else { throw StorageError(.corrupt) }
        let first = try EpochKeys(epoch: 1, root: .random())
        let key = state.withLock { $0.serviceKey }
        try KeyTable.insert(first, sealedUnder: key.check, key.sealing, db)
        try KeyTable.renewStamp(db)
        try CopyMark.makeIdentity(db)
        try StoreCounter().note(ring(db), db)
        return true
    }

    /// Uses another service key from now on.
    package func replace(with key: ServiceKey, from source: KeySource? = nil) {
        state.withLock { state in
            state.serviceKey = key
            guard let source else { return }
            state.source = source
            state.file =
                state.isClosed ? nil : source.path(forStore: storePath).map { FilesInUse(key: KeyFile.followed($0)) }
        }
    }

    /// The key file is no longer in use.
    package func close() {
        state.withLock { ($0.file, $0.isClosed) = (nil, true) }
    }

    /// Opens the root keys with the service key, with the root keys known so far, and with root keys opened on the way.
    private func open(_ stamp: Tag, _ known: State, _ db: Connection) throws -> KeyRing {
        let rows = try KeyTable.rootKeys(db)
        let roots = try Keychain.roots(known.rings, of: rows, db)
        var epochs = try Keychain.epochs(rows, with: known.serviceKey, roots)
        for key in try epochs.first?.epoch == rows.first?.epoch ? [] : changedServiceKeys(known.serviceKey) {
            epochs = try Keychain.epochs(rows, with: key, roots)
            guard epochs.first?.epoch == rows.first?.epoch else { continue }
            replace(with: key)
            break
        }
        guard let newest = epochs.first, newest.epoch == rows.first?.epoch else {
            throw Keychain.isDamaged(rows, with: known.serviceKey)
                ? KinfolkError(StorageError(.corrupt)) : Keychain.mismatch
        }
        let ended = try KeyTable.lastingKeys(db).map { row in
            (row.epoch, try LastingKeys(epoch: row.epoch, sealed: row.sealed, under: newest.rootSealing))
        }
        return KeyRing(
            stamp: stamp,
            newest: newest,
            before: Array(epochs.dropFirst()),
            ended: ended,
            isLeaked: try KeyTable.isLeaked(db),
            endedContainers: try KeyTable.endedContainers(db)
        )
    }

    /// The keys of epochs that are already known. With them, a service that saw the store during a rotation can continue
    /// afterwards, even if the service key was changed.
    private static func roots(_ rings: [KeyRing], of rows: [KeyTable.RootKey], _ db: Connection) throws -> [EpochKeys] {
        var roots: [Int64: EpochKeys] = [:]
        for keys in rings.flatMap(\.epochs) where roots[keys.epoch] == nil {
            // If the store was replaced, the same epoch number may mean different keys.
            if let sealed = try KeyTable.aContainerKey(of: keys.epoch, db) {
                let place = ContainerKeys.place(ofKeyFor: sealed.container, in: keys.epoch)
                guard var key = try? keys.sealing.open(sealed.key, at: place) else { continue }
                key.withUnsafeMutableBytes(wipe)
            }
            roots[keys.epoch] = keys
        }
        return Array(roots.values)
    }

    private static func epochs(
        _ rows: [KeyTable.RootKey],
        with key: ServiceKey,
        _ roots: [EpochKeys]
    ) throws -> [EpochKeys] {
        var openers = [key.check: key.sealing]
        var epochs: [Int64: EpochKeys] = [:]
        for keys in roots {
            openers[keys.check] = keys.rootSealing
            if rows.contains(where: { $0.epoch == keys.epoch }) { epochs[keys.epoch] = keys }
        }
        var openedOne = true
        while openedOne {
            openedOne = false
            for row in rows where epochs[row.epoch] == nil {
                guard let opener = openers[row.sealedUnder] else { continue }
                let keys = try EpochKeys(epoch: row.epoch, sealed: row.sealed, under: opener)
                epochs[row.epoch] = keys
                openers[keys.check] = keys.rootSealing
                openedOne = true
            }
        }
        return epochs.values.sorted { $0.epoch > $1.epoch }
    }

    /// Whether the newest root key cannot be opened because the store is damaged rather than because the service key is wrong.
    /// True if there are no root keys, or if the sealed key names this service key while its column `sealed_under` does not. A
    /// missing row among others, or damage in both places, cannot be distinguished from a wrong key.
    private static func isDamaged(_ rows: [KeyTable.RootKey], with key: ServiceKey) -> Bool {
        rows.isEmpty
            || rows.contains { row in
                row.epoch == rows.first?.epoch && row.sealed.withUnsafeBytes(key.sealing.canOpen)
            }
    }

    /// The keys in the key file and in its draft, if they differ from the known key: the keys were rotated while this service was
    /// idle. If a rotation after a leak stopped in its first step, only the draft has the new key.
    private func changedServiceKeys(_ known: ServiceKey) throws -> [ServiceKey] {
        guard let path = source.path(forStore: storePath) else { return [] }
        let draft = try? KeyFile.read(KeyFile.draft(for: KeyFile.followed(path)), as: .nextKey)
        return try [KeyFile.read(path), draft].compactMap { key in
            try key.map(ServiceKey.init).flatMap { $0.check == known.check ? nil : $0 }
        }
    }

    static var mismatch: KinfolkError {
        KinfolkError(
            .keyMismatch,
            "This is not the key of this store: the store was made with another key, or its key was rotated."
        )
    }
}
