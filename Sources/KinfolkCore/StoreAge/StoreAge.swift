package import KinfolkFiles
package import KinfolkModel
package import KinfolkStorage
package import KinfolkThreads

/// Detects that an older state of the store was put in place of the current one, by a counter that is also kept next to the key.
///
/// The counter is increased after changes, at most once a minute, and when the service closes: first in the store, then next to
/// the key. So the count next to the key is never ahead of the store's, unless the store is an older one. A key that is not in a
/// file has no place for a counter, and none is kept in a folder that cannot be written.
package final class StoreAge: Sendable {
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

    package init(store: Store, keychain: Keychain, at now: Timestamp) {
        self.store = store
        self.keychain = keychain
        state = Lock(State(raisedAt: now))
    }

    /// Throws if the count next to the key is ahead of the store's.
    ///
    /// - Parameter lines: The counter file, read before the store, because other processes may increase both counts meanwhile.
    package static func check(_ lines: [CounterFile.Line], _ keychain: Keychain, _ store: Store) throws {
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
            return lines.contains { $0.isAhead(of: counter, keys) }
        }
    }

    /// Gives the store a new counter. The old line next to the key remains, so the same older state would be refused again.
    package static func accept(_ keychain: Keychain, _ store: Store) throws {
        let (counter, keys) = try renew(keychain, store)
        if let path = keychain.counterPath { try CounterFile.note(counter, keys, at: path) }
    }

    /// Gives the store a counter with which it is not older than another state. The caller must write it to the file next to the
    /// key.
    ///
    /// - Parameter lines: The counter file, if the store replaces one of the same incarnation: then it keeps that incarnation, with
    ///   a higher count. Nil if both may be used from now on: then it gets an incarnation of its own.
    package static func renew(
        _ keychain: Keychain,
        _ store: Store,
        above lines: [CounterFile.Line]? = nil
    ) throws -> (StoreCounter, KeyRing) {
        try store.write { db in
            let keys = try keychain.ring(db)
            let counter = try lines.map { try StoreCounter(keys, db).above($0, keys) } ?? StoreCounter(count: 1)
            try counter.note(keys, db)
            // Services of this process may be open since before. What they have in memory belongs to another state of the store.
            try KeyTable.renewStamp(db)
            try StoreHistory.renew(db)
            return (counter, keys)
        }
    }

    /// Called after each change of the store.
    package func noteChange(at now: Timestamp) {
        guard fork == Fork.generation else { return }
        let isDue = state.withLock { state in
            state.hasChanges = true
            return abs(now.seconds(since: state.raisedAt)) >= StoreAge.minute
        }
        if isDue { raise(at: now) }
    }

    /// Increments the count if the store has changed since the last increment, or if `anyway` is true. If that fails, it is
    /// retried later.
    ///
    /// - Parameter isLast: Whether the service closes or the process exits: then it waits for a thread that is doing it now.
    package func raise(
        at now: Timestamp,
        anyway: Bool = false,
        isLast: Bool = false,
        until deadline: Deadline? = nil
    ) {
        guard fork == Fork.generation, let path = keychain.counterPath else { return }
        let isOurs = state.withLock(when: { !isLast || !$0.isAtWork }, until: deadline ?? .never) { state in
            guard state.hasChanges || anyway, !state.isAtWork else { return false }
            state.isAtWork = true
            return true
        }
        guard isOurs == true else { return }
        let isDone = (try? raise(beside: path, until: deadline)) != nil
        state.withLock { state in
            state.isAtWork = false
            state.raisedAt = now
            if isDone { state.hasChanges = false }
        }
    }

    private func raise(beside path: FilePath, until deadline: Deadline?) throws {
        // Cut when another thread closes the store, which waits for this. Made first: later it would not be cut any more.
        let limit = store.cut(deadline ?? Deadline(in: 60))
        let (counter, keys) = try store.write(until: deadline) { db in
            let keys = try keychain.ring(db)
            let counter = try StoreCounter(keys, db).next
            try counter.note(keys, db)
            return (counter, keys)
        }
        try CounterFile.note(counter, keys, at: path, until: limit)
    }
}

extension Keychain {
    /// The counter file; nil if the key is not in a file.
    package var counterPath: FilePath? {
        switch source.kind {
        case .bytes, .passphrase: nil
        case .besideStore, .file: source.path(forStore: storePath).map(CounterFile.path)
        }
    }
}
