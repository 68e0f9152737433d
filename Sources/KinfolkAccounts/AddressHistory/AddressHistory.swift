package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// What limits remember about an e-mail address, independent of accounts: it remains when an account is erased.
///
/// A value is found by a keyed tag of its subject. The tag depends on two keys. The first is random, one for each day, and is
/// deleted with the last value of its day: after that nobody can determine which address a value was about, even with a copy of
/// the other keys. The second belongs to the epoch, so a key rotation moves all values to new tags.
package struct AddressHistory {
    /// The kinds of values. The raw values are part of the tags.
    package enum Kind: UInt8 {
        /// Codes that were mailed.
        case codes = 1
        /// Permits that were spent.
        case permits = 2
        /// Claims that were refused.
        case refusals = 3
        /// Creators whose bytes in the public database count for the address.
        case creators = 4

        /// How many days a value is kept, including the day on which it was set. At most 30.
        package var days: Int64 {
            switch self {
            case .codes: 2
            case .permits, .refusals, .creators: 30
            }
        }
    }

    /// The subject of a value: its kind, the container and the address.
    package struct Subject {
        package let kind: Kind
        /// The container that counts; 0 for the store.
        package let container: Int64
        /// The contact hash of the address.
        package let hash: [UInt8]

        package init(_ kind: Kind, of hash: [UInt8], in container: Int64 = 0) {
            self.kind = kind
            self.container = container
            self.hash = hash
        }

        fileprivate var bytes: [UInt8] { [kind.rawValue] + withUnsafeBytes(of: container.bigEndian, Array.init) + hash }
    }

    /// A value, and the day on which it was set, counted from 1970-01-01.
    package struct Entry: Equatable {
        package let day: Int64
        package let value: [UInt8]
    }

    package let keys: KeyRing
    private let today: Int64

    /// - Parameter now: The time of the clock for limits.
    package init(_ keys: KeyRing, at now: Timestamp) {
        self.keys = keys
        today = now.day
    }

    /// The value of a subject; nil if there is none or it has expired.
    package func entry(of subject: Subject, _ db: Connection) throws -> Entry? {
        for known in try AddressHistoryTable.keys(db) where isCurrent(known.day, subject.kind) {
            let inner = try key(of: known).tag(subject.bytes)
            for row in try rows(of: inner, db) where row.day == known.day {
                return Entry(day: row.day, value: try open(row).value)
            }
        }
        return nil
    }

    /// The values of several subjects, read together.
    package func entries(of subjects: [Subject], _ db: Connection) throws -> [Entry?] {
        guard !subjects.isEmpty else { return [] }
        let known = try AddressHistoryTable.keys(db)
        var found = [Entry?](repeating: nil, count: subjects.count)
        for day in known {
            let key = try key(of: day)
            let tags = subjects.map { subject in
                isCurrent(day.day, subject.kind) ? key.tag(subject.bytes) : nil
            }
            try db.askAhead { for tag in tags { _ = try tag.map { try rows(of: $0, db) } } }
            for (index, tag) in tags.enumerated() where found[index] == nil {
                guard let tag, let row = try rows(of: tag, db).first(where: { $0.day == day.day }) else { continue }
                found[index] = Entry(day: row.day, value: try open(row).value)
            }
        }
        return found
    }

    /// When a value expires.
    package static func end(of entry: Entry, _ kind: Kind) -> Timestamp {
        Timestamp(startOfDay: entry.day &+ kind.days)
    }

    /// Sets the value of a subject and replaces the previous value.
    package func set(_ value: [UInt8], of subject: Subject, _ db: Connection) throws {
        try remove(subject, db)
        let inner = try todaysKey(db).tag(subject.bytes)
        try insert(inner, value, day: today, expires: today + subject.kind.days, db)
    }

    /// Deletes the value of a subject.
    package func remove(_ subject: Subject, _ db: Connection) throws {
        for known in try AddressHistoryTable.keys(db) {
            for row in try rows(of: key(of: known).tag(subject.bytes), db) {
                try AddressHistoryTable.delete(row.tag, db)
            }
        }
        try AddressHistoryTable.deleteKeysWithoutRows(except: today, db)
    }

    /// Deletes expired values, and the day keys that no value uses.
    static func expire(at now: Timestamp, _ db: Connection) throws {
        try AddressHistoryTable.deleteExpired(on: now.day, db)
        try AddressHistoryTable.deleteKeysWithoutRows(except: now.day, db)
    }

    /// Throws unless the value decrypts and its tag is the right one.
    package static func verify(_ row: AddressHistoryTable.Row, _ keys: KeyRing) throws {
        let inner = try AddressHistory(keys, at: Timestamp(microseconds: 0)).open(row).inner
        guard keys.epochs.contains(where: { $0.historyTags.tag(inner.bytes) == row.tag }) else {
            throw CryptoError.notAuthentic
        }
    }

    // MARK: Rotation

    /// Re-seals some values under the newest epoch.
    ///
    /// - Returns: The tag of the last value that was examined; nil if there are no more.
    package static func reseal(after tag: [UInt8], limit: Int, _ keys: KeyRing, _ db: Connection) throws -> [UInt8]? {
        let history = AddressHistory(keys, at: Timestamp(microseconds: 0))
        let rows = try AddressHistoryTable.rows(after: tag, limit: limit, db)
        for row in rows where !keys.sealing.isNewest(row.sealed) {
            let (inner, value) = try history.open(row)
            try AddressHistoryTable.delete(row.tag, db)
            try history.insert(inner, value, day: row.day, expires: row.expires, db)
        }
        return rows.last?.tag.bytes
    }

    // MARK: Rows

    /// A value that was set while the clock was ahead does not expire earlier.
    private func isCurrent(_ day: Int64, _ kind: Kind) -> Bool { day > today - kind.days }

    private func rows(of inner: Tag, _ db: Connection) throws -> [AddressHistoryTable.Row] {
        try keys.epochs.compactMap { try AddressHistoryTable.row($0.historyTags.tag(inner.bytes), db) }
    }

    private func insert(_ inner: Tag, _ value: [UInt8], day: Int64, expires: Int64, _ db: Connection) throws {
        let tag = keys.newest.historyTags.tag(inner.bytes)
        let sealed = try keys.sealing.seal(inner.bytes + value, at: AddressHistory.place(of: tag, day: day))
        let row = AddressHistoryTable.Row(tag: tag, day: day, expires: expires, sealed: sealed)
        try AddressHistoryTable.insert(row, db)
    }

    private func open(_ row: AddressHistoryTable.Row) throws -> (inner: Tag, value: [UInt8]) {
        let bytes = try keys.sealing.open(row.sealed, at: AddressHistory.place(of: row.tag, day: row.day))
        guard let inner = bytes.prefix(Tag.length).withUnsafeBytes(Tag.init) else { throw CryptoError.notAuthentic }
        return (inner, Array(bytes.dropFirst(Tag.length)))
    }

    private func key(of known: (day: Int64, sealed: [UInt8])) throws -> TagKey {
        var bytes = try keys.sealing.open(known.sealed, at: AddressHistory.place(ofKeyOf: known.day))
        defer { bytes.withUnsafeMutableBytes(wipe) }
        return TagKey(try bytes.withUnsafeBytes(SecretKey.init(copying:)))
    }

    private func todaysKey(_ db: Connection) throws -> TagKey {
        if let known = try AddressHistoryTable.keys(db).first(where: { $0.day == today }) { return try key(of: known) }
        var bytes = SecureRandom.bytes(SecretKey.length)
        defer { bytes.withUnsafeMutableBytes(wipe) }
        let sealed = try keys.sealing.seal(bytes, at: AddressHistory.place(ofKeyOf: today))
        try AddressHistoryTable.setKey(sealed, of: today, db)
        return TagKey(try bytes.withUnsafeBytes(SecretKey.init(copying:)))
    }

    private static func place(of tag: Tag, day: Int64) -> SealedPlace {
        SealedPlace("address_history", "sealed_value", row: .tag(tag), .number(day))
    }

    private static func place(ofKeyOf day: Int64) -> SealedPlace {
        SealedPlace("address_history_keys", "sealed_key", row: .number(day))
    }
}
