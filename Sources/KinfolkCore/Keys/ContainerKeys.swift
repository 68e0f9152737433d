package import KinfolkCrypto

/// The keys of one container: of the current epoch and, during a key rotation, of the previous epoch.
///
/// Each epoch has a random key for each container, which the store holds sealed under the epoch's keys.
package struct ContainerKeys: Sendable {
    /// For tags of contact hashes in the directory, newest key first. A person's rows are stored under one of them.
    package let directoryTags: [TagKey]
    /// For tags of wordings, so that each wording is stored once.
    package let wordingTags: TagKey
    /// For tags of record names and of indexed values, newest key first. The tags of a record are under the key of the same epoch as
    /// its sealed content.
    package let recordTags: [TagKey]
    /// For names in the directory, contents of records, and wordings.
    package let sealing: SealingKeys
    /// For the contents of custom zones, combined with the key of the zone.
    private let zones: [(key: SecretKey, sealing: SealingKey)]

    /// Derives the keys from the container's keys of the epochs, newest first.
    package init(_ keys: [SecretKey]) throws {
        guard let newest = keys.first else { throw CryptoError.unavailable }
        directoryTags = try keys.map { TagKey(try $0.derive("kinfdirt")) }
        recordTags = try keys.map { TagKey(try $0.derive("kinfreco")) }
        wordingTags = TagKey(try newest.derive("kinfword"))
        zones = try keys.map { (try $0.derive("kinfzone"), try SealingKey($0.derive("kinfseal"))) }
        sealing = SealingKeys(zones.map(\.sealing))
    }

    /// The keys for the contents of a custom zone. Without the key of the zone, which the store holds sealed, nobody can open them.
    ///
    /// Their values begin with the IDs of the container's keys, so that a value shows its epoch, but not its zone.
    package func sealing(ofZone zone: SecretKey) throws -> SealingKeys {
        SealingKeys(try zones.map { SealingKey(try $0.key.combined(with: zone), inPlaceOf: $0.sealing) })
    }

    /// A tag under the newest key, for new rows.
    package func directoryTag(of hash: [UInt8]) -> Tag { directoryTags.first?.tag(hash) ?? Tag() }

    package static func place(ofKeyFor container: Int64, in epoch: Int64) -> SealedPlace {
        SealedPlace("container_keys", "sealed_key", row: .number(container), .number(epoch))
    }
}
