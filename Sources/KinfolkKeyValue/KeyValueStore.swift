public import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads

/// Small settings of one user in one container, the same on all devices.
///
/// ```swift
/// let settings = session.keyValueStore()
/// try settings.set("dark", forKey: "theme")
/// let theme = try settings.value(forKey: "theme")?.string
/// ```
///
/// A value that was set is durable when the call returns, and all devices read it from then on. If two devices set one key, both then read the
/// later value. Keys have 1 to 64 bytes. There are at most 1,024 of them, and keys and values have at most 1 MB together, unless the
/// operator sets a lower limit (``Quota/keyValueStore``).
///
/// The object remembers which changes of others it has reported, and which of its own were refused. Use one object for as long as the program
/// uses the session.
public final class KeyValueStore: Sendable {
    /// The most bytes of a key, in UTF-8.
    public static let maximumKeyLength = 64
    /// The most keys of a user in a container.
    public static let maximumKeys = 1_024
    /// The most bytes of all keys and values of a user in a container. A key counts its bytes; a value counts its content and one byte for
    /// its type; texts, bytes, arrays and dictionaries count four bytes more.
    public static let maximumSize = 1_000_000
    /// The most bytes of one value, counted in the same way.
    public static let maximumValueSize = 999_900

    let session: Session
    let state = Lock(State())
    /// Held by the thread that reads changes, so that each is reported once.
    let turn = Lock(())

    struct State {
        /// What was reported to this object; nil before the first time.
        var token: ServerChangeToken?
        /// Keys that could not be set, because there was no room.
        var refused: Set<KeyName> = []
        /// Whether the last attempt to read found an account in good standing.
        var hasAccount = true
    }

    init(_ session: Session) { self.session = session }

    // MARK: Reading

    /// The value of a key; nil if it has none.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the key is malformed, ``KinfolkError/Code/notAuthenticated`` if the session has no
    ///   account in good standing.
    public func value(forKey key: String) throws(KinfolkError) -> PropertyListValue? {
        let name = try KeyName(key)
        return try session.read(.keyValueStore, [name.record]) { zone in
            try zone.record(named: name.record).map { try KeyValueRecord($0).value() }
        }
    }

    /// All keys with their values, in the order of the bytes of the keys.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func entries() throws(KinfolkError) -> [(key: String, value: PropertyListValue)] {
        try session.read(.keyValueStore) { zone in
            var entries: [(key: String, value: PropertyListValue)] = []
            try zone.forEachRecord { record in
                let record = KeyValueRecord(record)
                entries.append((try record.text(), try record.value()))
            }
            return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        }
    }

    // MARK: Writing

    /// Sets the value of a key. If there is no room, the key keeps its old value, and the next `synchronize()` reports it too.
    ///
    /// - Throws: ``KinfolkError/Code/quotaExceeded`` if there would be more than ``maximumKeys`` keys, or keys and values would have more bytes than
    ///   ``maximumSize`` or the operator's limits, ``KinfolkError/Code/limitExceeded`` if the value alone has more than ``maximumValueSize``,
    ///   ``KinfolkError/Code/invalidArgument`` if the key is malformed, or more than ``PropertyListValue/maximumDepth`` arrays and dictionaries are
    ///   inside each other, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func set(_ value: PropertyListValue, forKey key: String) throws(KinfolkError) {
        let name = try KeyName(key)
        do {
            let bytes = try value.encoded(limit: KeyValueStore.maximumValueSize)
            try session.write(to: .keyValueStore, [name.record]) { zone in
                let old = try zone.record(named: name.record).map(KeyValueRecord.init)
                try KeyValueRoom(zone).require(name.length + bytes.count, over: old)
                try zone.run([.forceReplace(KeyValueRecord.record(name, bytes, by: session.device))])
            }
        } catch {
            if error.code == .quotaExceeded || error.code == .limitExceeded { note(refused: name) }
            throw error
        }
        state.withLock { _ = $0.refused.remove(name) }
    }

    /// Removes a key with its value. Does nothing if there is none.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the key is malformed, ``KinfolkError/Code/notAuthenticated`` if the session has no
    ///   account in good standing.
    public func removeValue(forKey key: String) throws(KinfolkError) {
        let name = try KeyName(key)
        try session.write(to: .keyValueStore, [name.record], inserting: 0) { zone in
            guard let record = try zone.record(named: name.record) else { return }
            try zone.run([.forceDelete(record.id)])
        }
        state.withLock { _ = $0.refused.remove(name) }
    }

    private func note(refused name: KeyName) {
        state.withLock { state in
            if state.refused.count < KeyValueStore.maximumKeys { state.refused.insert(name) }
        }
        session.service.hub.stir()
    }
}

extension Session {
    /// The key-value store of the session's user. The object keeps the service open.
    public func keyValueStore() -> KeyValueStore { KeyValueStore(self) }
}
