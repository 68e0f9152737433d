import KinfolkCrypto

/// The service key: all that it does is to seal root keys.
struct ServiceKey: Sendable {
    let sealing: SealingKey
    /// By which the store knows the key.
    let check: Tag

    init(_ key: SecretKey) throws {
        sealing = try SealingKey(key.derive("kinfserv"))
        check = try KeyCheck.value(of: key)
    }
}

/// The check value of a key: it tells the key from another, without saying anything else about it.
enum KeyCheck {
    static func value(of key: SecretKey) throws -> Tag {
        TagKey(try key.derive("kinfchck")).tag(Array("kinfolk key".utf8))
    }
}
