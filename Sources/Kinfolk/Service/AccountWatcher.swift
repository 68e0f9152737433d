import KinfolkStorage
import KinfolkThreads

/// Notifies observers of changes to an account, made by this process or another.
///
/// Each account has a revision that increases with every change, and so does its use of each container. One thread compares the
/// revisions: at once after a change made by this service, and every half second for changes made by others. It runs only while
/// there are observers.
final class AccountWatcher: Sendable {
    private struct Watch {
        let account: AccountID
        let container: Int64
        let changed: @Sendable () -> Void
        var seen: Revision?
    }

    private struct Revision: Equatable {
        let account: Int64
        let user: Int64
    }

    private struct State {
        var watches: [Int: Watch] = [:]
        var nextKey = 0
        var threadRuns = false
        /// Whether a change was made since the thread last compared revisions.
        var isStirred = false
        /// The watch whose callback runs now, and the thread that runs it.
        var calling: Int?
        var thread: UInt = 0
    }

    private static let interval = 0.5

    private let store: Store
    private let fork = Fork.generation
    private let state = Lock(State())

    init(store: Store) { self.store = store }

    /// Calls `changed` after each change, until the observation is ended.
    func watch(
        _ account: AccountID,
        in container: Int64,
        changed: @escaping @Sendable () -> Void
    ) throws -> AccountObservation {
        let seen = try store.read { db in try AccountWatcher.revision(of: account, in: container, db) }
        let (key, needsThread) = state.withLock { state in
            let key = state.nextKey
            state.nextKey += 1
            state.watches[key] = Watch(account: account, container: container, changed: changed, seen: seen)
            defer { state.threadRuns = true }
            return (key, !state.threadRuns)
        }
        if needsThread && !Thread.start({ [self] in run() }) {
            state.withLock { state in
                state.threadRuns = false
                state.watches[key] = nil
            }
            throw KinfolkError(.serviceUnavailable, "The system has no thread to give.")
        }
        return AccountObservation(watcher: self, key: key)
    }

    /// Ends a watch. Its callback is not running when this returns, unless the call comes from it.
    func end(_ key: Int) {
        guard fork == Fork.generation else { return }
        // Removed inside the lock but released outside: releasing the callback may end another watch.
        let ended = state.withLock { $0.watches.removeValue(forKey: key) }
        defer { withExtendedLifetime(ended) {} }
        _ = state.withLock(
            when: { $0.calling != key || $0.thread == Thread.current },
            until: .never
        ) { _ in }
    }

    /// Makes the thread compare the revisions at once.
    func stir() { state.withLock { $0.isStirred = true } }

    private func run() {
        while true {
            let goesOn: Bool? = state.withLock(
                when: { $0.isStirred || $0.watches.isEmpty },
                until: Deadline(in: AccountWatcher.interval)
            ) { state in
                state.isStirred = false
                if state.watches.isEmpty { state.threadRuns = false }
                return !state.watches.isEmpty
            }
            if goesOn == false { return }
            look()
        }
    }

    private func look() {
        let watches = state.withLock { $0.watches }
        for (key, watch) in watches {
            // If the store cannot be read now, the next round reads it.
            let found: Revision?
            do {
                found = try store.read { db in
                    try AccountWatcher.revision(of: watch.account, in: watch.container, db)
                }
            } catch { continue }
            let changed = state.withLock { state -> (@Sendable () -> Void)? in
                guard let current = state.watches[key], current.seen != found else { return nil }
                state.watches[key]?.seen = found
                state.calling = key
                state.thread = Thread.current
                return current.changed
            }
            guard let changed else { continue }
            changed()
            state.withLock { $0.calling = nil }
        }
    }

    /// Nil once the account is erased.
    private static func revision(of account: AccountID, in container: Int64, _ db: Connection) throws -> Revision? {
        try db.first(
            """
            SELECT a.changes, coalesce(u.revision, -1) FROM accounts a
            LEFT JOIN users u ON u.account_id = a.account_id AND u.container_id = $2
            WHERE a.account_id = $1
            """,
            .id(account.value),
            .integer(container)
        ) { Revision(account: $0.integer(0), user: $0.integer(1)) }
    }
}

/// An active watch. It ends when this object is deallocated.
package final class AccountObservation: Sendable {
    private let watcher: AccountWatcher
    private let key: Int

    init(watcher: AccountWatcher, key: Int) {
        self.watcher = watcher
        self.key = key
    }

    deinit { watcher.end(key) }
}
