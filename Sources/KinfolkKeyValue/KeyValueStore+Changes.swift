import KinfolkAccounts
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
    /// a name begins with all keys that other devices have set.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func synchronize() throws(KinfolkError) -> [KeyValueChange] {
        try turn.withLock { _ throws(KinfolkError) in try readNews() }
    }

    private func readNews() throws(KinfolkError) -> [KeyValueChange] {
        let found: KeyValueNews
        do { found = try news(hasLostAll: false) } catch {
            guard error.code == .changeTokenExpired else { throw error }
            // What was deleted is not known any more.
            found = try news(hasLostAll: true)
        }
        if found.mustBeNoted { noteReported(found.token) }
        let refused = state.withLock { state in
            defer { (state.token, state.refused) = (found.token, []) }
            return state.refused
        }
        var changes: [KeyValueChange] = []
        if let reason = found.reason { changes.append(KeyValueChange(reason, try texts(of: found.keys))) }
        if !refused.isEmpty { changes.append(KeyValueChange(.quotaViolationChange, try texts(of: refused))) }
        return changes
    }

    /// Calls `handler` for each change, on a thread of the service, one after the other, for as long as the observation lives.
    ///
    /// It begins with the changes since the last time, as ``synchronize()`` would return them. It also reports when the account was suspended or
    /// erased, and when it is in good standing again. A slow handler delays those of other sessions of the process.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func onChange(
        _ handler: @escaping @Sendable (KeyValueChange) -> Void
    ) throws(KinfolkError) -> StoreObservation {
        _ = try session.read(.keyValueStore) { try $0.lastChange() }
        return try session.observe(.keyValueStore, isDue: { [state] in state.withLock { !$0.refused.isEmpty } }) {
            guard let changes = self.reported() else { return false }
            for change in changes { handler(change) }
            return true
        }
    }

    /// The changes, and those of the account. Nil if they cannot be read now.
    func reported() -> [KeyValueChange]? {
        do {
            let changes = try synchronize()
            let wasAway = state.withLock { state in
                defer { state.hasAccount = true }
                return !state.hasAccount
            }
            guard wasAway else { return changes }
            return [KeyValueChange(.accountChange, try entries().map(\.key))]
                + changes.filter { $0.reason == .quotaViolationChange }
        } catch {
            guard error.code == .notAuthenticated else { return nil }
            let hadAccount = state.withLock { state in
                defer { state.hasAccount = false }
                return state.hasAccount
            }
            return hadAccount ? [KeyValueChange(.accountChange, [])] : []
        }
    }

    /// The keys in their order.
    private func texts(of names: Set<KeyName>) throws(KinfolkError) -> [String] {
        var texts: [String] = []
        texts.reserveCapacity(names.count)
        for name in names.sorted() { texts.append(try name.text()) }
        return texts
    }

    // MARK: Reading changes

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
                    let isOwn = try record.device() == own
                    if isOwn { news.keys.remove(record.key) } else { news.keys.insert(record.key) }
                }
                for deletion in page.deleted where deletion.device != session.device {
                    news.keys.insert(KeyName(record: deletion.name))
                }
                (token, isBehind) = (page.token, page.moreComing)
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

    /// Notes the position of a device with a name. If that fails, another object of the device reports the changes again.
    private func noteReported(_ token: ServerChangeToken?) {
        guard session.deviceName != nil, let user = session.recordID, let token, !session.service.isReadOnly else {
            return
        }
        let container = session.container.number
        try? session.service.write(isDurable: false) { db in
            let keys = try session.service.keys(ofContainer: container, in: db)
            try DeviceTable.note(keyValueToken: token, of: session.device, of: user, keys, in: container, db)
        }
    }
}
