import KinfolkCrypto

/// The keys of one container, derived from the random key that its row holds sealed.
struct ContainerKeys: Sendable {
    /// Tags of contact hashes in the directory.
    let directoryTags: TagKey
    /// Names in the directory, and the fields of records.
    let sealing: SealingKey

    init(_ key: SecretKey) throws {
        directoryTags = TagKey(try key.derive("kinfdirt"))
        sealing = try SealingKey(key.derive("kinfseal"))
    }

    static func place(ofKeyFor name: String) -> SealedPlace {
        SealedPlace("containers", "sealed_key", row: Array(name.utf8))
    }
}
