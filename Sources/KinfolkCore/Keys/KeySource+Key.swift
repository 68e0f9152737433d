package import KinfolkCrypto
package import KinfolkFiles
package import KinfolkModel
package import KinfolkStorage

extension KeySource {
    /// The key in the key file. For a new store, the key file is created. Nil if the key does not come from a file.
    package func fileKey(forStore store: FilePath, isNew: Bool) throws -> SecretKey? {
        guard let path = try keyPath(forStore: store) else { return nil }
        if let key = try KeyFile.read(path) { return key }
        guard isNew else {
            throw KinfolkError(
                .keyMismatch,
                "The key file is missing. Without it the store cannot be read: bring it back, or name the file that has it."
            )
        }
        return try KeyFile.make(path)
    }

    /// The path of the key file, checked.
    package func keyPath(forStore store: FilePath) throws(KinfolkError) -> FilePath? {
        if case .besideStore = kind, Store.isServer(store) {
            throw KinfolkError(
                .invalidArgument,
                "A store on a server has no folder for a key file: name the key file, or give the key's bytes or a passphrase."
            )
        }
        guard let path = path(forStore: store) else { return nil }
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a key file is empty or contains a NUL.")
        }
        return path
    }

    /// The key, if the source is valid and is not a key file.
    package func key(of store: Store) throws -> SecretKey {
        switch kind {
        case .besideStore, .file: throw KinfolkError(.internalError, "A key file was not read.")
        case .bytes(nil), .passphrase(nil): throw CryptoError.unavailable
        case .bytes(let bytes?): return try SecretKey(bytes)
        case .passphrase(let text?):
            guard let passphrase = try store.read(KeySource.passphrase) ?? store.write(KeySource.makePassphrase) else {
                throw Keychain.mismatch
            }
            return try passphrase.key(from: text)
        }
    }

    /// Checks what can be checked without the store, so that an invalid key does not create one.
    package func validate() throws(KinfolkError) {
        switch kind {
        case .bytes(let bytes?) where bytes.count != SecretKey.length:
            throw KinfolkError(.invalidArgument, "A service key must have \(SecretKey.length) bytes.")
        case .passphrase(let text?) where text.count == 0:
            throw KinfolkError(.invalidArgument, "A passphrase must not be empty.")
        default: return
        }
    }

    private static func passphrase(_ db: Connection) throws -> Passphrase? {
        try ServiceTable.value("passphrase", db).flatMap(Passphrase.init)
    }

    /// The salt and the cost, created with a new store. Nil if the store uses another kind of key.
    private static func makePassphrase(_ db: Connection) throws -> Passphrase? {
        if let known = try passphrase(db) { return known }
        guard try KeyTable.stamp(db) == nil else { return nil }
        return try newPassphrase(db)
    }

    /// The salt and the cost that the store has, or else new ones.
    package static func newPassphrase(_ db: Connection) throws -> Passphrase {
        if let known = try passphrase(db) { return known }
        let made = Passphrase()
        try ServiceTable.set("passphrase", made.bytes, db)
        return made
    }
}
