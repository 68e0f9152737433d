public import KinfolkCore
package import KinfolkCrypto
public import KinfolkModel

extension Service {
    /// The public key that determines the bucket of a contact, the same in all containers and epochs of this store: 32 bytes, an
    /// element of ristretto255 (RFC 9496). It never changes.
    ///
    /// Applications may give it to their clients in another way, for example in their package.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there has been no private directory yet.
    public func bucketPublicKey() throws(KinfolkError) -> [UInt8] { try bucketKey().publicKey.bytes }

    /// The key itself. The operator has it and could misuse it; experiments do that.
    package func bucketKey() throws(KinfolkError) -> OPRFKey {
        try read { db in
            guard let key = try BucketKey.find(keys(db), db) else {
                throw KinfolkError(
                    .unknownItem,
                    "No container has had a private directory yet, so there is no bucket key."
                )
            }
            return key
        }
    }
}
