public import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Adds the public key of a server, and makes an account for it, with a user record ID in this container.
    ///
    /// ```sh
    /// openssl ecparam -name prime256v1 -genkey -noout -out private.pem
    /// openssl ec -in private.pem -pubout -out public.pem
    /// ```
    ///
    /// - Parameters:
    ///   - publicKey: A public key for P-256: the bytes of PEM text ("BEGIN PUBLIC KEY"), or the 65 bytes of its point.
    ///   - name: A name for the operator, 1 to 255 bytes. No other key of the container has it. It is also the name of the account.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if an argument is malformed, ``KinfolkError/Code/conflict`` if the container has the
    ///   key or the name, ``KinfolkError/Code/limitExceeded`` if it has 100 keys.
    public func addServerKey(_ publicKey: [UInt8], named name: String) throws(KinfolkError) -> ServerKey {
        try AccessName.validate(name)
        let point = try PublicKeyReader.point(publicKey)
        return try service.write { db in
            try requireInUse(db)
            let keys = try service.keys(db)
            let known = try ServerKeyTable.all(in: number, keys, db)
            guard !known.contains(where: { $0.publicKey == point || $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw KinfolkError(.conflict, "The container has this key, or a server's key with this name.")
            }
            guard known.count < ServerKeyTable.limit else {
                throw KinfolkError(.limitExceeded, "A container has at most \(ServerKeyTable.limit) server keys.")
            }
            let account = try service.createAccount(name: PersonName(givenName: name), db)
            _ = try join(account.id, db)
            let key = ServerKey(
                keyID: SHA256.hash(of: point),
                name: name,
                publicKey: point,
                account: account.id,
                createdAt: service.clock()
            )
            try ServerKeyTable.insert(key, in: number, keys, db)
            return key
        }
    }

    /// Adds the public key of a server: see the other form.
    ///
    /// - Parameter pem: PEM text.
    public func addServerKey(_ pem: String, named name: String) throws(KinfolkError) -> ServerKey {
        try addServerKey(Array(pem.utf8), named: name)
    }

    /// The keys of servers, in the order of their names.
    public func serverKeys() throws(KinfolkError) -> [ServerKey] {
        try service.read { db in
            try requireInUse(db)
            return try ServerKeyTable.all(in: number, service.keys(db), db)
        }
    }

    /// The key of a server.
    ///
    /// - Parameter id: The SHA-256 of the public key, as 64 lower-case hexadecimal digits.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no such key, ``KinfolkError/Code/invalidArgument`` if the ID is
    ///   malformed.
    public func serverKey(_ id: String) throws(KinfolkError) -> ServerKey {
        let keyID = try Container.keyID(id)
        let key = try service.read { db in
            try requireInUse(db)
            return try ServerKeyTable.key(keyID, in: number, service.keys(db), db)
        }
        guard let key else { throw Container.unknownServerKey }
        return key
    }

    /// Removes the key of a server, which can then make no more requests. Its account remains, with the records that it created: erase the
    /// account to remove these.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container has no such key, ``KinfolkError/Code/invalidArgument`` if the ID is
    ///   malformed.
    public func removeServerKey(_ id: String) throws(KinfolkError) {
        let keyID = try Container.keyID(id)
        try service.write { db in
            try requireInUse(db)
            guard try ServerKeyTable.delete(keyID, in: number, db) else { throw Container.unknownServerKey }
        }
    }

    private static func keyID(_ text: String) throws(KinfolkError) -> [UInt8] {
        guard let id = Hexadecimal.bytes(text.utf8), id.count == SHA256.length else {
            throw KinfolkError(.invalidArgument, "The ID of a server's key must be 64 lower-case hexadecimal digits.")
        }
        return id
    }

    private static var unknownServerKey: KinfolkError {
        KinfolkError(.unknownItem, "The container has no such server key.")
    }
}
