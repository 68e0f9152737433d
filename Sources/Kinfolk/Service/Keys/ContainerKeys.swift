import KinfolkCrypto

/// The keys of one container: of the present epoch and, while keys are rotated, of the one before.
///
/// Each epoch has a random key for each container, which the store holds sealed under the epoch's keys.
struct ContainerKeys: Sendable {
    /// Tags of contact hashes in the directory, the newest key first. A person's rows stand under one of them.
    let directoryTags: [TagKey]
    /// Wordings, by which each is kept once.
    let wordingTags: TagKey
    /// Names in the directory, the fields of records, and wordings.
    let sealing: SealingKeys

    /// From the keys of the epochs, newest first.
    init(_ keys: [SecretKey]) throws {
        guard let newest = keys.first else { throw CryptoError.unavailable }
        directoryTags = try keys.map { TagKey(try $0.derive("kinfdirt")) }
        wordingTags = TagKey(try newest.derive("kinfword"))
        sealing = SealingKeys(try keys.map { try SealingKey($0.derive("kinfseal")) })
    }

    /// A tag under the newest key, where new rows go.
    func directoryTag(of hash: [UInt8]) -> Tag { directoryTags.first?.tag(hash) ?? Tag() }

    static func place(ofKeyFor container: Int64, in epoch: Int64) -> SealedPlace {
        SealedPlace("container_keys", "sealed_key", row: .number(container), .number(epoch))
    }
}
