/// Keys of a key-value store that changed, and why.
public struct KeyValueChange: Sendable {
    /// Why keys changed. The numbers are those of `NSUbiquitousKeyValueStore`.
    public enum Reason: Int32, Sendable, Hashable, CaseIterable {
        /// Another device set or removed them.
        case serverChange = 0
        /// The device asks for the first time: all keys that other devices have set are listed. Or it was away for too long, or the store was
        /// restored: all keys are listed. Forget what was read.
        case initialSyncChange = 1
        /// This session tried to set them, and there was no room. They have their old values.
        case quotaViolationChange = 2
        /// The account was suspended or erased, and no key can be read; or it is in good standing again, and all keys are listed.
        case accountChange = 3
    }

    /// Why they changed.
    public let reason: Reason

    /// The keys, in the order of their bytes.
    public let keys: [String]

    /// - Parameter keys: In their order.
    package init(_ reason: Reason, _ keys: [String]) { (self.reason, self.keys) = (reason, keys) }
}

/// Keys are compared by their bytes.
extension KeyValueChange: Equatable {
    public static func == (left: KeyValueChange, right: KeyValueChange) -> Bool {
        left.reason == right.reason && left.keys.elementsEqual(right.keys) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension KeyValueChange: Redacted {
    /// The reason, and the number of keys.
    public var description: String { "KeyValueChange(\(reason), \(keys.count) keys)" }
}
