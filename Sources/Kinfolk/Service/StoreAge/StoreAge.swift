import KinfolkStorage
import KinfolkThreads

/// Recognises an older store in the place of the present one, by a count that lies beside the key too.
///
/// The count is raised at most once a minute, after changes, and when the service closes: in the store first, then beside the
/// key. So what is beside the key is never ahead of the store, unless the store is an older one. A key that is in no file has
/// no place for a count, and a folder that cannot be written keeps none.
final class StoreAge: Sendable {
    private struct State {
        var hasChanges = false
        var raisedAt: Timestamp
        var isAtWork = false
    }

    private static let minute = 60.0

    private let store: Store
    private let keychain: Keychain
    private let state: Lock<State>
    private let fork = Fork.generation

    init(store: Store, keychain: Keychain, at now: Timestamp) {
        self.store = store
        self.keychain = keychain
        state = Lock(State(raisedAt: now))
    }

    /// Throws if the count beside the key is ahead of the store's.
    ///
    /// - Parameter lines: What the file beside the key had before the store was looked at. Others may be at work.
    static func check(_ lines: [CounterFile.Line], _ keychain: Keychain, _ store: Store) throws {
        guard try !isOlder(lines, keychain, store) else {
            throw KinfolkError(
                .storeCorrupt,
                "This is an older state of the store than the one that was used with this key last. If it was restored on "
                    + "purpose, accept it: kinfolk restore --accept-older."
            )
        }
    }

    static func isOlder(_ lines: [CounterFile.Line], _ keychain: Keychain, _ store: Store) throws -> Bool {
        try store.read { db in
            let keys = try keychain.ring(db)
            let counter = try StoreCounter(keys, db)
            return lines.contains { line in
                line.counter.incarnation == counter.incarnation && line.counter.count > counter.count
                    && line.isAuthentic(with: keys)
            }
        }
    }

    /// Gives the store a count of its own, which begins now. What was beside the key stays: the same older state would be
    /// refused again.
    static func accept(_ keychain: Keychain, _ store: Store) throws {
        let (counter, keys) = try renew(keychain, store)
        if let path = keychain.counterPath { try CounterFile.note(counter, keys, at: path) }
    }

    /// Gives the store a count of its own. What is to be noted beside the key is left to the caller.
    static func renew(_ keychain: Keychain, _ store: Store) throws -> (StoreCounter, KeyRing) {
        try store.write { db in
            let keys = try keychain.ring(db)
            let counter = StoreCounter(count: 1)
            try counter.note(keys, db)
            return (counter, keys)
        }
    }

    /// After a change of the store.
    func noteChange(at now: Timestamp) {
        guard fork == Fork.generation else { return }
        let isDue = state.withLock { state in
            state.hasChanges = true
            return abs(now.seconds(since: state.raisedAt)) >= StoreAge.minute
        }
        if isDue { raise(at: now) }
    }

    /// Raises the count, if anything was changed since, or `anyway`. If that cannot be done now, it is done later.
    func raise(at now: Timestamp, anyway: Bool = false) {
        guard fork == Fork.generation, let path = keychain.counterPath else { return }
        let isOurs = state.withLock { state in
            guard state.hasChanges || anyway, !state.isAtWork else { return false }
            state.isAtWork = true
            return true
        }
        guard isOurs else { return }
        let isDone = (try? raise(beside: path)) != nil
        state.withLock { state in
            state.isAtWork = false
            state.raisedAt = now
            if isDone { state.hasChanges = false }
        }
    }

    private func raise(beside path: FilePath) throws {
        let (counter, keys) = try store.write { db in
            let keys = try keychain.ring(db)
            let counter = try StoreCounter(keys, db).next
            try counter.note(keys, db)
            return (counter, keys)
        }
        try CounterFile.note(counter, keys, at: path)
    }
}

extension Keychain {
    /// The file for the store's count; nil if the key is in no file.
    var counterPath: FilePath? {
        switch source.kind {
        case .bytes, .passphrase: nil
        case .besideStore, .file: source.path(forStore: storePath).map(CounterFile.path)
        }
    }
}
