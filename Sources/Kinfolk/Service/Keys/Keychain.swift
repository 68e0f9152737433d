import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// The keys of an open service: what each transaction asks for the keys that its state of the store needs.
///
/// Another process may rotate the keys at any time. So a transaction compares the store's key stamp with that of the keys in
/// memory, and opens the store's keys when they differ.
final class Keychain: Sendable {
    private struct State {
        var serviceKey: ServiceKey
        var ring: KeyRing?
    }

    let source: KeySource
    let storePath: String
    private let state: Lock<State>

    init(_ key: SecretKey, source: KeySource, storePath: String) throws {
        self.source = source
        self.storePath = storePath
        state = Lock(State(serviceKey: try ServiceKey(key)))
    }

    /// The keys of the state of the store that this transaction sees.
    func ring(_ db: Connection) throws -> KeyRing {
        guard let stamp = try KeyTable.stamp(db) else { throw StorageError(.foreign) }
        let known = state.withLock { $0 }
        if let ring = known.ring, ring.stamp == stamp { return ring }
        let ring = try open(stamp, known, db)
        state.withLock { $0.ring = ring }
        return ring
    }

    /// Makes the first epoch, unless there is one.
    func makeFirstEpoch(_ db: Connection) throws {
        guard try KeyTable.stamp(db) == nil else { return }
        let first = try EpochKeys(epoch: 1, root: .random())
        let key = state.withLock { $0.serviceKey }
        try KeyTable.insert(first, sealedUnder: key.check, key.sealing, db)
        try KeyTable.renewStamp(db)
    }

    /// Takes another service key from now on.
    func replace(with key: ServiceKey) { state.withLock { $0.serviceKey = key } }

    /// Opens the root keys with the service key, with the root keys known so far, and with those that this opens.
    private func open(_ stamp: Tag, _ known: State, _ db: Connection) throws -> KeyRing {
        let rows = try KeyTable.rootKeys(db)
        var epochs = try Keychain.epochs(rows, with: known.serviceKey, known.ring)
        if epochs.first?.epoch != rows.first?.epoch, let key = try changedServiceKey(known.serviceKey) {
            epochs = try Keychain.epochs(rows, with: key, known.ring)
            if epochs.first?.epoch == rows.first?.epoch { replace(with: key) }
        }
        guard let newest = epochs.first, newest.epoch == rows.first?.epoch else { throw Keychain.mismatch }
        let ended = try KeyTable.lastingKeys(db).map { row in
            (row.epoch, try LastingKeys(epoch: row.epoch, sealed: row.sealed, under: newest.rootSealing))
        }
        return KeyRing(stamp: stamp, newest: newest, before: Array(epochs.dropFirst()), ended: ended)
    }

    private static func epochs(_ rows: [KeyTable.RootKey], with key: ServiceKey, _ ring: KeyRing?) throws -> [EpochKeys]
    {
        var openers = [key.check: key.sealing]
        for epoch in ring?.epochs ?? [] { openers[epoch.check] = epoch.rootSealing }
        var epochs: [Int64: EpochKeys] = [:]
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

    /// The key in the key file, if the file has another than we had: keys were rotated while this service was idle.
    private func changedServiceKey(_ known: ServiceKey) throws -> ServiceKey? {
        guard let path = source.path(forStore: storePath), let key = try KeyFile.read(path) else { return nil }
        let changed = try ServiceKey(key)
        return changed.check == known.check ? nil : changed
    }

    static var mismatch: KinfolkError {
        KinfolkError(.keyMismatch, "This is not the key of this store: another was used to make it, or it was rotated.")
    }
}
