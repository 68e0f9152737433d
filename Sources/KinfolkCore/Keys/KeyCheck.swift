import KinfolkCrypto

/// The check value of a key: it distinguishes the key from others without revealing anything else about it.
enum KeyCheck {
    static func value(of key: SecretKey) throws -> Tag {
        TagKey(try key.derive("kinfchck")).tag(Array("kinfolk key".utf8))
    }
}
