package import KinfolkCrypto
package import KinfolkStorage

/// The keys of one epoch, derived from its root key, one for each purpose.
///
/// The root key is random. The store holds it sealed under the service key. So the service key can be changed at once, and the
/// data that the keys protect can be re-sealed step by step afterwards.
package struct EpochKeys: Sendable {
    package let epoch: Int64
    private let root: SecretKey
    /// Seals the root keys of other epochs, and the lasting keys of ended epochs.
    package let rootSealing: SealingKey
    /// Distinguishes this root key from others without revealing anything else about it.
    package let check: Tag
    /// For tags of contact hashes, by which the operator's tables are searched.
    package let emailTags: TagKey
    /// For names, addresses and container keys.
    package let sealing: SealingKey
    /// For authentication codes of rows that decide something, so that nobody can change them without the key.
    package let authentication: TagKey
    /// For tags of what limits remember about addresses.
    package let historyTags: TagKey
    /// For tags of identities at providers, by which people sign in.
    package let identityTags: TagKey
    /// The keys that outlive the epoch.
    package let lasting: LastingKeys

    package init(epoch: Int64, root: SecretKey) throws {
        self.epoch = epoch
        self.root = root
        rootSealing = try SealingKey(root.derive("kinfroot"))
        check = try KeyCheck.value(of: root)
        emailTags = TagKey(try root.derive("kinfmail"))
        sealing = try SealingKey(root.derive("kinfseal"))
        authentication = TagKey(try root.derive("kinfauth"))
        historyTags = TagKey(try root.derive("kinfhist"))
        identityTags = TagKey(try root.derive("kinfiden"))
        lasting = try LastingKeys(syncStates: root.derive("kinfsync"), codes: root.derive("kinfcode"))
    }

    /// The root key, sealed under another.
    package func sealed(under key: SealingKey) -> [UInt8] {
        root.withUnsafeBytes { key.seal($0, at: EpochKeys.place(of: epoch)) }
    }

    /// Opens a root key that the store holds sealed.
    package init(epoch: Int64, sealed: [UInt8], under key: SealingKey) throws {
        var bytes = try key.open(sealed, at: EpochKeys.place(of: epoch))
        defer { bytes.withUnsafeMutableBytes(wipe) }
        try self.init(epoch: epoch, root: bytes.withUnsafeBytes(SecretKey.init(copying:)))
    }

    /// Creates a container's key of this epoch.
    package func makeContainerKey(for id: Int64, _ db: Connection) throws {
        var key = SecureRandom.bytes(SecretKey.length)
        defer { key.withUnsafeMutableBytes(wipe) }
        let sealed = sealing.seal(key, at: ContainerKeys.place(ofKeyFor: id, in: epoch))
        try KeyTable.insert(containerKey: sealed, for: id, in: epoch, db)
    }

    private static func place(of epoch: Int64) -> SealedPlace {
        SealedPlace("root_keys", "sealed_key", row: .number(epoch))
    }
}
