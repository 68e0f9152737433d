import KinfolkCrypto

/// The keys of one container, derived from the random key that its row holds sealed.
struct ContainerKeys: Sendable {
    /// Tags of contact hashes in the directory.
    let directoryTags: TagKey
    /// Wordings, by which each is kept once.
    let wordingTags: TagKey
    /// Names in the directory, the fields of records, and wordings.
    let sealing: SealingKey

    init(_ key: SecretKey) throws {
        directoryTags = TagKey(try key.derive("kinfdirt"))
        wordingTags = TagKey(try key.derive("kinfword"))
        sealing = try SealingKey(key.derive("kinfseal"))
    }

    static func place(ofKeyFor name: String) -> SealedPlace {
        SealedPlace("containers", "sealed_key", row: Array(name.utf8))
    }
}
