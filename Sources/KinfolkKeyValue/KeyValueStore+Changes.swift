package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkRecords
import KinfolkStorage
public import KinfolkSubscriptions
import KinfolkThreads

extension KeyValueStore {
    /// The keys that other devices have set or removed since the last time, and those that this object could not set.
    ///
    /// ```swift
    /// for change in try settings.synchronize() where change.reason == .serverChange {
    ///     for key in change.keys { show(key, try settings.value(forKey: key)) }
    /// }
    /// ```
    ///
    /// Nothing needs to be synchronized for reading and writing, which use the store itself. Each change is returned once, with at most one
    /// entry for each reason. A device with a name continues where its last object ended, also after a restart of the program; a session without
    /// a name begins with all keys that other devices have set. A program that ends before it has handled the changes does not get them again: it
    /// reads all keys when it starts.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func synchronize() throws(KinfolkError) -> [KeyValueChange] {
        try turn.withLock { _ throws(KinfolkError) in
            let report = try readReport()
            note(report)
            return report.changes
        }
    }

    /// Like `synchronize()` of a new object, for a program that keeps its position itself.
    ///
    /// - Parameter token: The token of the last answer; nil for the first time.
    /// - Returns: The changes, and the token for the next call. Nil if nobody has set a key yet, and the service is read-only.
    package static func changes(
        of session: Session,
        since token: ServerChangeToken?
    ) throws(KinfolkError) -> (changes: [KeyValueChange], token: ServerChangeToken?) {
        let store = KeyValueStore(session)
        store.state.withLock { $0.token = token }
        let changes = try store.synchronize()
        return (changes, store.state.withLock(\.token))
    }

    /// Calls `handler` for each change, on a thread of the service, one after the other, for as long as the observation lives.
    ///
    /// It begins with the changes since the last time, as `synchronize()` would return them. It also reports when the account was suspended or
    /// erased, and when it is in good standing again. A slow handler delays those of other sessions of the process. If a program ends while the
    /// handler runs, the next object of the device reports the changes again.
    ///
    /// An object reports each change once. So it has one observation or stream, and a program that has one does not call `synchronize()`.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func onChange(
        _ handler: @escaping @Sendable (KeyValueChange) -> Void
    ) throws(KinfolkError) -> StoreObservation {
        _ = try session.read(.keyValueStore) { try $0.lastChange() }
        return try session.observe(.keyValueStore, isAsked: { self.isAsked }) { isLive in
            guard let report = self.reportWithAccount() else { return .failed }
            for change in report.changes where isLive() { handler(change) }
            self.turn.withLock { _ in self.note(report) }
            return .read
        }
    }

    /// Whether there is something to report although the zone has not changed. The account may have been suspended when the zone was read, and
    /// be in good standing again when it is looked at next.
    var isAsked: Bool { state.withLock { !$0.refused.isEmpty || !$0.hasAccount } }

    /// The changes, and those of the account. Nil if they cannot be read now.
    func reportWithAccount() -> KeyValueReport? {
        do {
            let wasAway = state.withLock { !$0.hasAccount }
            // Before anything is noted to be reported.
            let all = wasAway ? try entries().map(\.key) : []
            var report = try turn.withLock { _ throws(KinfolkError) in try readReport() }
            if wasAway {
                let refused = report.changes.filter { $0.reason == .quotaViolationChange }
                report.changes = [KeyValueChange(.accountChange, all)] + refused
                state.withLock { $0.hasAccount = true }
            }
            return report
        } catch {
            guard error.code == .notAuthenticated else { return nil }
            let hadAccount = state.withLock { state in
                defer { state.hasAccount = false }
                return state.hasAccount
            }
            return KeyValueReport(changes: hadAccount ? [KeyValueChange(.accountChange, [])] : [])
        }
    }

    /// Like `synchronize()`, with the changes of the account. Nil if they cannot be read now.
    package func reported() -> [KeyValueChange]? {
        guard let report = reportWithAccount() else { return nil }
        turn.withLock { _ in note(report) }
        return report.changes
    }

    // MARK: Reading changes

    /// Reads what is new, once. Call this with the turn.
    private func readReport() throws(KinfolkError) -> KeyValueReport {
        let found: KeyValueNews
        do { found = try news(hasLostAll: false) } catch {
            guard error.code == .changeTokenExpired else { throw error }
            // What was deleted is not known any more.
            found = try news(hasLostAll: true)
        }
        let refused = state.withLock(\.refused)
        var report = KeyValueReport(changes: [], tokenToNote: found.mustBeNoted ? found.token : nil)
        if let reason = found.reason { report.changes.append(KeyValueChange(reason, try texts(of: found.keys))) }
        if !refused.isEmpty { report.changes.append(KeyValueChange(.quotaViolationChange, try texts(of: refused))) }
        state.withLock { state in
            state.token = found.token
            state.refused.subtract(refused)
        }
        return report
    }

    /// The keys in their order.
    private func texts(of names: Set<KeyName>) throws(KinfolkError) -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(names.count)
        for name in names.sorted() { texts.append(try name.text()) }
        return texts
    }

    /// The most changed keys that are told one by one. There are more if others set and removed very many.
    private static let mostKeys = 20 * maximumKeys

    /// What a look at the store has found.
    private struct KeyValueNews {
        var keys: Set<KeyName> = []
        /// Nil if there is nothing to report.
        var reason: KeyValueChange.Reason?
        var token: ServerChangeToken?
        /// Whether the position of the device is to be written.
        var mustBeNoted = false
    }

    /// - Parameter hasLostAll: Whether the token has expired, and so all keys are reported.
    private func news(hasLostAll: Bool) throws(KinfolkError) -> KeyValueNews {
        let known = state.withLock(\.token)
        if let found = try look(since: known, hasLostAll: hasLostAll) { return found }
        // Nobody has set a key yet. The zone is made, so that the device has a position in its changes.
        guard !session.service.isReadOnly else { return KeyValueNews() }
        try session.service.write { db in try session.ensure(.keyValueStore, db) }
        return try look(since: known, hasLostAll: hasLostAll) ?? KeyValueNews()
    }

    /// Nil if there is no zone.
    private func look(since known: ServerChangeToken?, hasLostAll: Bool) throws(KinfolkError) -> KeyValueNews? {
        try session.read(.keyValueStore) { zone -> KeyValueNews? in
            let noted = known == nil ? try notedToken(zone.db) : nil
            var token = hasLostAll ? nil : known ?? noted
            let isFirst = token == nil
            var news = KeyValueNews()
            var isBehind = true
            let own = session.device.bytes
            while isBehind {
                guard let page = try zone.changes(since: token) else { return nil }
                for record in page.records {
                    let record = KeyValueRecord(record)
                    // After a restore, own keys may have other values too.
                    let isOwn = try !hasLostAll && record.device() == own
                    if isOwn { news.keys.remove(record.key) } else { news.keys.insert(record.key) }
                }
                for deletion in page.deleted where deletion.device != session.device {
                    news.keys.insert(KeyName(record: deletion.name))
                }
                (token, isBehind) = (page.token, page.moreComing)
                guard news.keys.count <= KeyValueStore.mostKeys || isFirst else {
                    throw KinfolkError(.changeTokenExpired, "Too many keys were changed.")
                }
            }
            news.token = token
            if isFirst {
                news.reason = hasLostAll || !news.keys.isEmpty ? .initialSyncChange : nil
            } else if !news.keys.isEmpty {
                news.reason = .serverChange
            }
            news.mustBeNoted = isFirst || news.reason != nil
            return news
        }
    }

    /// The position that was noted for the device.
    private func notedToken(_ db: Connection) throws -> ServerChangeToken? {
        guard session.deviceName != nil, let user = session.recordID else { return nil }
        let container = session.container.number
        let keys = try session.service.keys(ofContainer: container, in: db)
        return try DeviceTable.keyValueToken(of: session.device, of: user, keys, in: container, db)
    }

    /// Notes what was reported to a device with a name. If that fails, another object of the device reports the changes again.
    func note(_ report: KeyValueReport) {
        guard session.deviceName != nil, let user = session.recordID, let token = report.tokenToNote,
            !session.service.isReadOnly
        else { return }
        let container = session.container.number
        try? session.service.write(isDurable: false) { db in
            let keys = try session.service.keys(ofContainer: container, in: db)
            try DeviceTable.note(keyValueToken: token, of: session.device, of: user, keys, in: container, db)
        }
    }
}
