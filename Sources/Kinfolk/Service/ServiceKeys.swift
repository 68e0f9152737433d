import KinfolkCrypto

/// The keys that are derived from the service key, one for each purpose.
struct ServiceKeys: Sendable {
    /// Tags of contact hashes, by which the operator's tables are searched.
    let emailTags: TagKey
    /// Verification codes.
    let codes: TagKey
    /// Names, addresses and container keys.
    let sealing: SealingKey
    /// Sync states.
    let syncStates: SealingKey
    /// Tells this key from another without saying anything else about it. Kept in the store.
    let check: Tag

    init(_ key: SecretKey) throws {
        emailTags = TagKey(try key.derive("kinfmail"))
        codes = TagKey(try key.derive("kinfcode"))
        sealing = try SealingKey(key.derive("kinfseal"))
        syncStates = try SealingKey(key.derive("kinfsync"))
        check = TagKey(try key.derive("kinfchck")).tag(Array("kinfolk service key".utf8))
    }
}
