package import KinfolkCrypto

extension Service {
    /// The public key by which a contact is in the same bucket in all containers and epochs of this store: 32 bytes, an element of
    /// ristretto255 (RFC 9496). It never changes.
    ///
    /// Applications may give it to their clients by a way of their own, in their package say.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there was no private directory yet.
    public func bucketPublicKey() throws(KinfolkError) -> [UInt8] { try bucketKey().publicKey.bytes }

    /// The key itself, which the operator has and may misuse: so experiments do.
    package func bucketKey() throws(KinfolkError) -> OPRFKey {
        try read { db in
            guard let key = try BucketKey.find(keys(db), db) else {
                throw KinfolkError(
                    .unknownItem,
                    "No container had a private directory yet, and so there is no bucket key."
                )
            }
            return key
        }
    }
}
