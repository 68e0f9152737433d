import KinfolkModel

/// A zone of private databases that holds what Kinfolk itself stores in records. Applications cannot name it, and it is in no list.
///
/// Its records are sealed, numbered, counted, rotated, exported and erased like all others.
package struct ReservedZone: Sendable, Hashable {
    package let name: String

    private init(_ name: String) { self.name = name }

    /// The keys and values of the key-value store.
    package static let keyValueStore = ReservedZone("_keyValueStore")
    /// The documents.
    package static let documents = ReservedZone("_documents")

    package static let all = [keyValueStore, documents]

    /// Whether a zone with this name is reserved. Names of custom zones do not begin with `_`.
    package static func isReserved(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "_") && name != RecordZone.defaultName
    }
}

extension RecordPlace {
    /// Whether it is a reserved zone.
    package var isReserved: Bool { tracksChanges && ReservedZone.isReserved(zoneName) }
}
