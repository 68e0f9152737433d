import KinfolkAccounts
import KinfolkModel
import KinfolkRecords

/// The limits of a key-value store, in one write transaction.
struct KeyValueRoom {
    private let zone: ReservedZoneTransaction

    init(_ zone: ReservedZoneTransaction) { self.zone = zone }

    /// Throws unless there is room for a key and its value.
    ///
    /// - Parameters:
    ///   - size: The bytes of the key and the value.
    ///   - old: What the key has now; nil for a new key.
    func require(_ size: Int, over old: KeyValueRecord?) throws {
        if old == nil,
            try zone.count(of: ReservedType.keyValue, limit: KeyValueStore.maximumKeys) >= KeyValueStore.maximumKeys
        {
            throw KinfolkError(.quotaExceeded, "A key-value store has at most \(KeyValueStore.maximumKeys) keys.")
        }
        let growth = size - (try old?.size() ?? 0)
        // What exceeds a lowered limit stays.
        guard growth > 0 else { return }
        let limit = min(try zone.quotas()[.keyValueStore] ?? .max, KeyValueStore.maximumSize)
        // The sealed records are larger than the keys and values, so their count, which the store has, mostly answers.
        if try zone.storedBytes() <= limit - growth { return }
        var total = growth
        try zone.forEachRecord { total += try KeyValueRecord($0).size() }
        guard total <= limit else {
            throw KinfolkError(.quotaExceeded, "A key-value store of this container has at most \(limit) bytes.")
        }
    }
}
