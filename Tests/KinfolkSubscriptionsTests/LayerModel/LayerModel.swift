import Kinfolk

/// What one user's key-value store and documents must hold.
struct LayerModel {
    /// The last change of a key.
    struct KeyChange {
        let number: Int
        let device: String
        /// Nil if the key was removed.
        let value: PropertyListValue?
    }

    struct Version: Equatable {
        let id: String
        let contents: [UInt8]
        let device: String
    }

    struct Document {
        var path: String
        var current: Version
        var conflicts: [Version] = []
        var older: [Version] = []
        var isExcluded = false
    }

    var keys: [String: KeyChange] = [:]
    var lastChange = 0
    /// What each device has noted, and each object has reported.
    var noted: [String: Int] = [:]
    var documents: [String: Document] = [:]

    mutating func set(_ key: String, to value: PropertyListValue?, by device: String) {
        guard value != nil || keys[key]?.value != nil else { return }
        lastChange += 1
        keys[key] = KeyChange(number: lastChange, device: device, value: value)
    }

    /// What a synchronization reports.
    ///
    /// - Parameter seen: The last change that the object has seen; nil for a new object.
    mutating func synchronize(_ device: String, seen: Int?) -> (reason: KeyValueChange.Reason, keys: [String])? {
        let start = seen ?? noted[device]
        let news = keys.filter { $0.value.device != device && $0.value.number > start ?? 0 }
            .filter { start != nil || $0.value.value != nil }
        let found = news.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if start == nil || !found.isEmpty { noted[device] = lastChange }
        return found.isEmpty ? nil : (start == nil ? .initialSyncChange : .serverChange, found)
    }
}
