package import KinfolkCrypto

/// The service key. It only seals root keys.
package struct ServiceKey: Sendable {
    package let sealing: SealingKey
    /// The check value by which the store recognises the key.
    package let check: Tag

    package init(_ key: SecretKey) throws {
        sealing = try SealingKey(key.derive("kinfserv"))
        check = try KeyCheck.value(of: key)
    }
}
