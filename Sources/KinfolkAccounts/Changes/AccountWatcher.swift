import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Notifies observers of changes to an account, made by this process or another.
///
/// Each account has a revision that increases with every change, and so does its use of each container. One thread compares the
/// revisions of all watched accounts in one transaction: at once after a change made by this service, and every half second for
/// changes made by others. If nothing in the store has changed, it reads no revision. It runs only while there are observers.
///
/// The callbacks run on that thread, one at a time and without a lock, in the order in which the observations began. A slow
/// callback delays the others by its own duration: each comparison calls each of them at most once.
package final class AccountWatcher: Sendable {
    private struct Watch {
        let account: AccountID
        let container: Int64
        let changed: @Sendable () -> Void
        /// Called when the service closes.
        let ended: @Sendable () -> Void
        var seen: AccountTable.Revision?
    }

    private struct State {
        var watches: [Int: Watch] = [:]
        var nextKey = 0
        var threadRuns = false
        var isStopping = false
        /// Whether a function of the host closes the service.
        var isStoppedInside = false
        /// Whether a change was made since the thread last compared revisions.
        var isStirred = false
        /// The watch whose callback runs now.
        var calling: Int?
        /// The thread that runs; 0 if none does.
        var thread: UInt = 0
    }

    private static let interval = 0.5

    private let store: Store
    private let fork = Fork.generation
    private let state = Lock(State())

    init(store: Store) { self.store = store }

    /// Calls `changed` after each change, until ``end(_:)`` or until the service closes, which `ended` tells.
    ///
    /// - Returns: The key of the watch.
    func watch(
        _ account: AccountID,
        in container: Int64,
        changed: @escaping @Sendable () -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws -> Int {
        let seen = try store.read { db in
            var seen: AccountTable.Revision?
            try AccountTable.forEachRevision(of: [account], in: container, db) { seen = $1 }
            return seen
        }
        let (key, needsThread) = try state.withLock { state in
            guard !state.isStopping else { throw StorageError(.closed) }
            let key = state.nextKey
            state.nextKey += 1
            state.watches[key] = Watch(
                account: account,
                container: container,
                changed: changed,
                ended: ended,
                seen: seen
            )
            defer { state.threadRuns = true }
            return (key, !state.threadRuns)
        }
        if needsThread && !Thread.start({ [self] in run() }) {
            state.withLock { state in
                state.threadRuns = false
                state.watches[key] = nil
            }
            throw KinfolkError(.serviceUnavailable, "The system could not start a thread.")
        }
        return key
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

    package func stop() {
        guard fork == Fork.generation else { return }
        let watches = state.withLock { state in
            state.isStopping = true
            if Thread.isInCallback { state.isStoppedInside = true }
            defer { state.watches = [:] }
            return state.watches
        }
        let own = Thread.current
        _ = state.withLock(
            when: { !$0.threadRuns || $0.thread == own || $0.isStoppedInside && $0.calling != nil },
            until: .never
        ) { _ in }
        for watch in watches.values { watch.ended() }
    }

    package func awaitFunctions() {
        let own = Thread.current
        _ = state.withLock(when: { !$0.threadRuns || $0.thread == own }, until: .never) { _ in }
    }

    /// Makes the thread compare the revisions at once.
    package func stir() { state.withLock { $0.isStirred = true } }

    private func run() {
        state.withLock { $0.thread = Thread.current }
        while true {
            let goesOn: Bool? = state.withLock(
                when: { $0.isStirred || $0.watches.isEmpty },
                until: Deadline(in: AccountWatcher.interval)
            ) { state in
                state.isStirred = false
                if state.watches.isEmpty { (state.threadRuns, state.thread) = (false, 0) }
                return !state.watches.isEmpty
            }
            if goesOn == false { return }
            look()
        }
    }

    private func look() {
        let (watches, nextKey) = state.withLock { ($0.watches, $0.nextKey) }
        for (key, revision) in changes(of: watches, begunBefore: nextKey) {
            let changed = state.withLock { state -> (@Sendable () -> Void)? in
                guard let current = state.watches[key], current.seen != revision else { return nil }
                state.watches[key]?.seen = revision
                state.calling = key
                return current.changed
            }
            guard let changed else { continue }
            Thread.callBack(changed)
            state.withLock { $0.calling = nil }
        }
    }

    // MARK: Reading

    /// A watch, by its key, and what was read for it; nil once the account is erased.
    private typealias Found = (key: Int, revision: AccountTable.Revision?)

    /// The revisions that differ from those seen last. If the store cannot be read now, the next round reads it.
    private func changes(of watches: [Int: Watch], begunBefore nextKey: Int) -> [Found] {
        let list = { watches.sorted { $0.key < $1.key } }
        var found: [Found] = []
        do {
            found = try store.read { db in
                // The note is lost as soon as anything in the store changes.
                let known = try KnownAccounts.of(db)
                guard known?.comparedWatches != nextKey else { return [] }
                let found = try AccountWatcher.revisions(of: list()[...], db)
                known?.comparedWatches = nextKey
                return found
            }
        } catch let error as StorageError where error.kind == .corrupt {
            found = readableRevisions(of: list()[...])
        } catch {}
        return found.filter { watches[$0.key]?.seen != $0.revision }
    }

    /// The revisions that can be read although the store is damaged: a damaged row hides no changes of other accounts.
    private func readableRevisions(of watches: ArraySlice<(key: Int, value: Watch)>) -> [Found] {
        do {
            return try store.read { db in try AccountWatcher.revisions(of: watches, db) }
        } catch let error as StorageError where error.kind == .corrupt && watches.count > 1 {
            let middle = watches.startIndex + watches.count / 2
            return readableRevisions(of: watches[..<middle]) + readableRevisions(of: watches[middle...])
        } catch {
            return []
        }
    }

    private static func revisions(
        of watches: ArraySlice<(key: Int, value: Watch)>,
        _ db: Connection
    ) throws -> [Found] {
        var revisions: [Int: AccountTable.Revision] = [:]
        let containers = Dictionary(grouping: watches, by: \.value.container)
        func look() throws {
            for (container, watches) in containers {
                try AccountTable.forEachRevision(of: watches.map(\.value.account), in: container, db) {
                    revisions[watches[$0].key] = $1
                }
            }
        }
        // On a server, all containers take one round trip.
        try db.askAhead(look)
        try look()
        return watches.map { ($0.key, revisions[$0.key]) }
    }
}

extension AccountWatcher: ServicePart {}

extension Service {
    package var watcher: AccountWatcher { part(AccountWatcher.self) }
}
