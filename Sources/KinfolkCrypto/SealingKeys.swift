/// Several sealing keys, the newest first. The newest one seals; each opens the values that were sealed under it.
package struct SealingKeys: Sendable {
    private let keys: [SealingKey]

    /// There must be at least one key; without keys, nothing can be opened.
    package init(_ keys: [SealingKey]) { self.keys = keys }

    package func seal(_ value: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        guard let newest = keys.first else { throw CryptoError.unavailable }
        return newest.seal(value, at: place)
    }

    /// Seals the same value at the same place always alike, as long as the newest key is the same.
    package func sealAlike(_ value: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        guard let newest = keys.first else { throw CryptoError.unavailable }
        return newest.sealAlike(value, at: place)
    }

    package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        try sealed.withUnsafeBytes { try open($0, at: place) }
    }

    package func open(_ sealed: UnsafeRawBufferPointer, at place: SealedPlace) throws -> [UInt8] {
        guard let index = index(of: sealed) else { throw CryptoError.notAuthentic }
        return try keys[index].open(sealed, at: place)
    }

    /// Opens a value under the key with an index that ``index(of:)`` returned.
    package func open(_ sealed: UnsafeRawBufferPointer, under index: Int, at place: SealedPlace) throws -> [UInt8] {
        guard keys.indices.contains(index) else { throw CryptoError.notAuthentic }
        return try keys[index].open(sealed, at: place)
    }

    /// Whether a value was sealed under the newest key, according to the ID in the value.
    package func isNewest(_ sealed: [UInt8]) -> Bool { sealed.withUnsafeBytes { keys.first?.canOpen($0) == true } }

    /// Which key a value was sealed under, according to the ID in the value: 0 for the newest. Nil if it is none of them.
    package func index(of sealed: UnsafeRawBufferPointer) -> Int? { keys.firstIndex { $0.canOpen(sealed) } }

    /// The ID with which a value begins that was sealed under the newest key.
    package var newestID: [UInt8] { keys.first?.id ?? [] }
}
